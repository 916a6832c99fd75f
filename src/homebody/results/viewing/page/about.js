// What is shown was made with: runs, their options, versions and data.

import { h, plural } from './elements.js';

export function about(root, { runs }) {
  root.append(
    h('h1', null, 'About'),
    h('p', null, `Made with homebody ${runs.homebody} from ${plural(runs.runs.length, 'run')}. Numbers are percentages with standard errors (jackknife over clusters: what tasks share) where they have some; rows with † are as published.`),
    h('p', null, 'A sample is a success if all that was asked was done, partial if some of it was; it is left out where the protocol does not count its task, and an error where nobody was asked to the end.'),
    ...runs.runs.map((run) => h('details', { class: 'made' },
      h('summary', null, h('strong', null, run.name), ` ${run.suite}, ${run.protocol}, ${plural(run.samples, 'sample')}`),
      run.note ? h('p', { class: 'going' }, run.note) : null,
      h('table', null, h('caption', { class: 'unseen' }, `What ${run.name} was made with`), h('tbody', null, [['read from', run.source], ...Object.entries(run.made)]
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => h('tr', null, h('th', { scope: 'row' }, name), h('td', null, typeof value === 'object' ? JSON.stringify(value) : String(value)))))))),
  );
  return { title: 'About' };
}
