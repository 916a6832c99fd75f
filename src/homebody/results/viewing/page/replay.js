// Shows a replay in an element: its steps, one after another.

import { h } from './elements.js';

export function mountReplay(element, replay) {
  element.append(h('ol', null, replay.steps.map((step) => h('li', null, `${step.role}: ${step.call} ${step.message ?? ''}`))));
}
