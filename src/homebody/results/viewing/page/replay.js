// A replay in an element: its steps as a list, one of them in full, and the house in 3-D if it is in one. It can be gone through by buttons, a slider and keys.

import { h } from './elements.js';

const PACE = 1200; // milliseconds of a step that is played, where no clock says how long it lasts
const SPEEDS = [1, 2, 4, 8, 16]; // times as fast as it was

export function mountReplay(element, replay, asset, scene) {
  const last = replay.steps.length; // the end has a place of its own
  let at = 0;
  let clock = 0;
  let timer = 0;
  let house = null; // in 3-D, when it is there
  const items = [...replay.steps.map((step, number) => h('li', { class: step.ok === false || step.message === 'not understood' ? 'refused' : step.ok === null && replay.kind === 'symbolic' ? 'idle' : null },
    h('button', { type: 'button', onclick: () => go(number) }, h('span', { class: 'who' }, step.role), ` ${step.listed ?? step.call}`))),
  h('li', null, h('button', { type: 'button', onclick: () => go(last) }, 'At the end'))];
  const list = h('ol', { class: 'replay-steps' }, items);
  const shown = h('div', { class: 'replay-step', 'aria-live': 'off' });
  const slider = h('input', { type: 'range', min: 0, max: last, value: 0, 'aria-label': 'Step', oninput: () => go(Number(slider.value)) });
  const place = h('span', { class: 'place' });
  const speed = h('select', { 'aria-label': 'Speed' }, SPEEDS.map((times) => h('option', { value: times, selected: times === (replay.house?.rate > 1 ? 4 : 1) }, `${times} ×`)));
  const stage = h('div', { class: 'replay-house' });
  const view = h('select', { 'aria-label': 'View' }, h('option', { value: 'above' }, 'from above'), Object.keys(replay.house?.paths ?? {}).flatMap((role) => [
    h('option', { value: `follow ${role}` }, `behind ${role}`), h('option', { value: `eyes ${role}` }, `through ${role}'s eyes`)]));
  view.addEventListener('change', () => { const [kind, ...role] = view.value.split(' '); house?.look(kind, role.join(' ')); });
  const play = h('button', { type: 'button', onclick: toggle });
  const control = (words, label, step) => h('button', { type: 'button', 'aria-label': label, title: label, onclick: step }, words);
  element.classList.add('replaying');
  element.tabIndex = 0;
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', 'Replay: arrow keys go from step to step, space plays');
  element.append(
    h('div', { class: 'replay-controls' },
      control('«', 'first step', () => go(0)), control('‹', 'the step before', () => go(at - 1)), play,
      control('›', 'the next step', () => go(at + 1)), control('»', 'the end', () => go(last)), slider, place,
      replay.house ? [speed, view] : null),
    replay.house ? stage : '',
    h('div', { class: 'replay-parts' }, list, shown),
  );
  element.addEventListener('keydown', (event) => {
    if ((event.target.type === 'range' || event.target.tagName === 'SELECT') && event.key.startsWith('Arrow')) return;
    const step = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (step !== undefined) go(step);
    else if (event.key === ' ' && event.target.tagName !== 'BUTTON' && event.target.tagName !== 'SUMMARY') toggle();
    else return;
    event.preventDefault();
  });

  function toggle() {
    if (timer) stop();
    else {
      if (at === last) go(0);
      if (replay.house) run();
      else timer = setInterval(() => { if (at === last || !element.isConnected) stop(); else go(at + 1); }, PACE);
      label();
    }
  }

  // Let time go on, as fast as is chosen.
  function run() {
    let before = performance.now();
    const tick = (now) => {
      if (!element.isConnected || clock >= replay.end.clock) { stop(); go(last); return; }
      clock = Math.min(replay.end.clock, clock + ((now - before) / 1000) * replay.house.rate * Number(speed.value));
      before = now;
      const next = replay.steps.findLastIndex((step) => step.clock <= clock);
      if (next > at) tell(next);
      move();
      timer = requestAnimationFrame(tick);
    };
    timer = requestAnimationFrame(tick);
  }

  function move() {
    const words = (replay.steps[at]?.call ?? '').match(/[\w-]+/g) ?? [];
    house?.show(clock, words.slice(1));
  }

  function stop() {
    clearInterval(timer);
    cancelAnimationFrame(timer);
    timer = 0;
    label();
  }

  function label() {
    play.textContent = timer ? 'Pause' : 'Play';
  }

  function go(to) {
    tell(Math.max(0, Math.min(last, to)));
    clock = at === last ? replay.end.clock : replay.steps[at].clock;
    move();
  }

  function tell(to) {
    at = to;
    slider.value = String(at);
    place.textContent = at === last ? 'the end' : `step ${at + 1} of ${replay.of ?? last}`;
    slider.setAttribute('aria-valuetext', place.textContent);
    items.forEach((item, number) => {
      if (number === at) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
    });
    const item = items[at];
    if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
    }
    shown.replaceChildren(...(at === last ? ending(replay.end) : moment(replay.steps[at])));
  }

  let open = !replay.house || replay.steps.some((step) => step.options?.length); // whether pictures are looked at: by them one has chosen

  function pictures(named) {
    if (!named?.length) return null;
    const shown = h('div', { class: 'pictures' }, named.map(({ file, name }) => h('div', null, h('img', { src: asset(file), alt: name, loading: 'lazy' }), h('span', { class: 'under', 'aria-hidden': 'true' }, name))));
    return replay.house ? h('details', { open, ontoggle: (event) => { open = event.target.open; } }, h('summary', null, 'What was seen'), shown) : shown;
  }

  function facts(title, told, kind) {
    return told?.length ? h('div', { class: 'facts' }, h('h3', null, title), h('ul', { class: kind }, told.map((fact) => h('li', null, fact)))) : null;
  }

  function conditions(told) {
    return told?.length ? h('ul', { class: 'goals' }, told.map(([words, met]) => h('li', { class: met ? 'met' : 'open' },
      h('span', { 'aria-hidden': 'true' }, met ? '● ' : '○ '), h('span', { class: 'unseen' }, met ? 'met: ' : 'not met: '), words))) : null;
  }

  function moment(step) {
    return [
      pictures(step.pictures),
      step.note ? h('p', { class: 'soft' }, step.note) : null,
      step.said ? h('blockquote', null, step.said) : null,
      h('p', { class: 'choice' }, step.role ? `${step.role}: ` : '', step.listed ?? step.call),
      step.message ? h('p', { class: step.ok === false ? 'refused' : null }, step.message) : null,
      facts('Lacked', step.failing, 'lacked'), facts('Now holds', step.added, 'added'), facts('No longer holds', step.removed, 'removed'),
      conditions(step.conditions),
      step.options?.length ? h('details', null, h('summary', null, `${step.options.length} options`), h('ol', null, step.options.map((option) => h('li', null, option)))) : null,
    ].filter(Boolean);
  }

  function ending(end) {
    return [pictures(end.pictures), end.explanation ? h('p', null, end.explanation) : null, conditions(end.conditions)].filter(Boolean);
  }

  async function mount() {
    stage.append(h('p', { class: 'soft' }, 'The house is being drawn ...'));
    try {
      const { mountHouse } = await import('./filmed_house.js');
      house = await mountHouse(stage, replay.house, await Promise.all(replay.house.scenes.map(scene)));
      element.house = house;
      move();
    } catch (error) {
      stage.replaceChildren(h('p', { class: 'soft' }, `There is no 3-D here (${error.message}); pictures are below.`));
      stage.classList.add('none');
      view.hidden = true;
      open = true;
      tell(at);
    }
  }

  label();
  go(0);
  if (replay.house) mount();
}
