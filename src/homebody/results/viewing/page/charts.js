// Charts, drawn as SVG, each with the same numbers as a table.

import { figure, h, svg } from './elements.js';

const WIDTH = 340;
const HEIGHT = 190;
const LEFT = 38;
const BOTTOM = 42;

// Of runs of one suite: a chart for each factor, a line for each run.
export function difficultyCharts(runs) {
  const names = [...new Set(runs.flatMap((run) => run.difficulty.map((factor) => factor.name)))];
  return [
    runs.length > 1 ? h('p', { class: 'legend' }, runs.map((run, at) => h('span', null, h('i', { class: `series s${at % 8}` }), run.name))) : null,
    h('div', { class: 'charts' }, names.map((name) => chart(name, runs.map((run, at) => [run, at, run.difficulty.find((factor) => factor.name === name)])
      .filter(([, , factor]) => factor)))),
  ];
}

function chart(name, series) {
  const labels = [...new Set(series.flatMap(([, , factor]) => factor.groups.map(([label]) => label)))]
    .sort((a, b) => parseFloat(a) - parseFloat(b));
  const x = (label) => LEFT + ((labels.indexOf(label) + 0.5) * (WIDTH - LEFT - 6)) / labels.length;
  const y = (share) => 8 + (1 - share) * (HEIGHT - BOTTOM - 8);
  const every = Math.ceil(labels.length / 9);
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `success by ${name}` },
    [0, 0.5, 1].map((share) => [
      svg('line', { x1: LEFT, x2: WIDTH, y1: y(share), y2: y(share), class: 'grid' }),
      svg('text', { x: LEFT - 6, y: y(share) + 4, 'text-anchor': 'end' }, `${100 * share}`),
    ]),
    labels.map((label, at) => (at % every ? null : svg('text', { x: x(label), y: HEIGHT - BOTTOM + 16, 'text-anchor': 'middle' }, label))),
    svg('text', { x: LEFT + (WIDTH - LEFT) / 2, y: HEIGHT - 8, 'text-anchor': 'middle', class: 'axis' }, name),
    series.map(([run, at, factor], order) => svg('g', { class: `series s${at % 8}`, transform: `translate(${(order - (series.length - 1) / 2) * 4})` },
      svg('title', null, run.name),
      factor.groups.map(([label, , , low, high]) => svg('line', { x1: x(label), x2: x(label), y1: y(low), y2: y(high), class: 'interval' })),
      svg('polyline', { points: factor.groups.map(([label, , mean]) => `${x(label).toFixed(1)},${y(mean).toFixed(1)}`).join(' ') }),
      factor.groups.map(([label, tasks, mean, low, high]) => svg('circle', { cx: x(label), cy: y(mean), r: 3 },
        svg('title', null, `${run.name}, ${name} ${label}: ${figure(100 * mean)} % of ${tasks} tasks (${figure(100 * low)} to ${figure(100 * high)})`))))));
  return h('figure', null,
    h('figcaption', null, name),
    drawing,
    h('ul', { class: 'rho' }, series.map(([run, at, factor]) => h('li', null, series.length > 1 ? h('i', { class: `series s${at % 8}` }) : null,
      factor.rho === null ? `no correlation: ${factor.why}` : `ρ ${factor.rho.toFixed(2)}, p ${factor.p < 0.001 ? '< 0.001' : factor.p.toFixed(3)}`))),
    h('details', null, h('summary', null, 'as a table'), numbers(name, series)));
}

function numbers(name, series) {
  return h('table', null, h('caption', null, `Success by ${name}, in %`),
    h('thead', null, h('tr', null, ['Run', name, 'Tasks', 'Mean', '95 % interval'].map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', null, series.flatMap(([run, , factor]) => factor.groups.map(([label, tasks, mean, low, high]) => h('tr', null,
      h('th', { scope: 'row' }, run.name), h('td', { class: 'number' }, label), h('td', { class: 'number' }, String(tasks)), h('td', { class: 'number' }, figure(100 * mean)),
      h('td', { class: 'number' }, `${figure(100 * low)} – ${figure(100 * high)}`))))));
}
