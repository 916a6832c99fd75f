// Results together: tables in the shape of the papers', what went wrong, what is hard, abilities.

import { VERDICTS, figure, h, plural, sortableTable } from './elements.js';
import { difficultyCharts } from './charts.js';

export function overview(root, { runs }) {
  fill(root, runs);
  return { refresh: (now) => fill(root, now) };
}

function fill(root, runs) {
  const sections = [
    ['results', 'Results', results(runs)],
    ['errors', 'What went wrong', errors(runs)],
    ['difficulty', 'What is hard', difficulty(runs)],
    ['abilities', 'Abilities', abilities(runs)],
  ].filter(([, , content]) => content.length);
  root.replaceChildren(
    h('h1', { class: 'unseen' }, runs.name || 'Results'),
    h('nav', { class: 'within', 'aria-label': 'On this page' }, sections.map(([id, title]) => h('button', {
      type: 'button', onclick: () => jump(root.querySelector(`#${id}`)) }, title))),
    ...sections.map(([id, title, content]) => h('section', { id, 'aria-labelledby': `${id}-title` },
      h('h2', { id: `${id}-title`, tabindex: '-1' }, title), content)),
  );
}

function jump(section) {
  section.scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  section.querySelector('h2').focus({ preventScroll: true });
}

export function samplesLink(filters, ...content) {
  return h('a', { href: `#/samples?${new URLSearchParams(filters)}` }, content);
}

function results(runs) {
  if (!runs.tables.length) return [h('p', null, 'There are no results yet.')];
  const made = new Map(runs.runs.map((run) => [run.id, run]));
  const groups = Map.groupBy ? Map.groupBy(runs.tables, groupOf) : grouped(runs.tables);
  return [...groups].map(([group, tables]) => h('details', { open: tables.some((table) => table.rows.some((row) => row.run)) || groups.size === 1 },
    h('summary', null, h('h3', null, group), ` ${plural(tables.length, 'table')}`),
    tables.map((table) => resultTable(table, made))));
}

function groupOf(table) {
  return { eai: 'EAI', partnr: 'PARTNR', etplan: 'ET-Plan-Bench', embodiedeval: 'EmbodiedEval' }[table.suite.split('.')[0]]
    ?? table.suite.split('.')[0];
}

function grouped(tables) {
  const groups = new Map();
  for (const table of tables) groups.set(groupOf(table), [...(groups.get(groupOf(table)) ?? []), table]);
  return groups;
}

function resultTable(table, made) {
  const sources = [...new Set(table.rows.map((row) => row.source).filter(Boolean))];
  const columns = [
    { name: 'Model', key: (row) => row.name, cell: (row) => nameOf(row, made.get(row.run), table) },
    { name: 'Tasks', number: true, key: (row) => row.tasks, cell: (row) => tasksOf(row) },
    ...table.headers.map((header, at) => ({
      name: header.low ? `${header.name} ↓` : header.name,
      title: header.low ? 'less is better' : null,
      number: true,
      key: (row) => row.values[at],
      cell: (row) => [figure(row.values[at], header.count && !row.source), errorOf(row.errors[at])],
    })),
  ];
  return h('div', { class: 'result' },
    h('h4', null, table.title),
    sortableTable(table.caption, columns, table.rows, { rowClass: (row) => (row.source ? 'published' : 'own') }),
    sources.length ? h('p', { class: 'soft' }, `† published: ${sources.join('; ')}`) : null,
    table.notes.map((note) => h('p', { class: 'soft' }, note)));
}

function nameOf(row, run, table) {
  if (!run) return row.source ? `${row.name} †` : row.name;
  return [samplesLink({ run: run.id }, row.name), run.samples < run.total
    ? h('span', { class: 'going' }, ` ${run.samples} of ${run.total}`) : null,
  run.note ? h('span', { class: 'going', title: run.note }, ' !') : null];
}

function tasksOf(row) {
  if (row.tasks === null) return '–';
  return row.tasks < row.asked ? `${row.tasks} of ${row.asked}` : String(row.tasks);
}

function errorOf(error) {
  return error !== null && error >= 0.05 ? h('span', { class: 'error' }, ` ± ${error.toFixed(1)}`) : null;
}

function errors(runs) {
  if (!runs.runs.length) return [];
  const rows = runs.runs.map((run) => h('tr', null,
    h('th', { scope: 'row' }, samplesLink({ run: run.id }, run.name), h('span', { class: 'under' }, run.suite, run.protocol === 'corrected' ? '' : `, ${run.protocol}`)),
    h('td', { class: 'bar-cell' }, verdictBar(run)),
    h('td', null, run.problems.length ? h('ul', { class: 'problems' }, run.problems.map(([problem, number]) => h('li', null,
      samplesLink({ run: run.id, problem }, problem), ` ${number}`,
      h('span', { class: 'thin', 'aria-hidden': 'true', style: null }, thin(number / Math.max(1, run.samples)))))) : '–')));
  const legend = h('p', { class: 'legend' }, VERDICTS.map((verdict) => h('span', null, h('i', { class: verdict.replace(' ', '-') }), verdict)));
  return [legend, h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Runs and their problems' }, h('table', { class: 'errors' },
    h('caption', null, 'How samples ended, and the problems that they had; one sample can have several'),
    h('thead', null, h('tr', null, ['Run', 'Samples', 'Problems'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, rows)))];
}

function verdictBar(run) {
  const told = VERDICTS.map((verdict, at) => [verdict, run.verdicts[at]]).filter(([, number]) => number);
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' }, told.map(([verdict, number]) => {
    const part = h('i', { class: verdict.replace(' ', '-'), title: `${verdict}: ${number}` });
    part.style.flexGrow = String(number);
    return part;
  }));
  const words = told.flatMap(([verdict, number], at) => [at ? ', ' : '', samplesLink({ run: run.id, verdict }, `${number} ${verdict}`)]);
  return [bar, h('span', { class: 'under' }, words)];
}

function thin(share) {
  const bar = h('i');
  bar.style.width = `${100 * share}%`;
  return bar;
}

function difficulty(runs) {
  const suites = grouped2(runs.runs.filter((run) => run.difficulty.length));
  if (!suites.size) return [];
  return [h('p', { class: 'soft' }, 'Success by what tasks have more or less of, with 95 % intervals. ρ is the rank correlation, p that of a permutation test.'),
    ...[...suites].map(([title, own], at) => h('details', { open: suites.size <= 3 || at === 0 }, h('summary', null, h('h3', null, title)), difficultyCharts(own)))];
}

function grouped2(runs) {
  const suites = new Map();
  for (const run of runs) suites.set(`${run.title} – ${run.protocol}`, [...(suites.get(`${run.title} – ${run.protocol}`) ?? []), run]);
  return suites;
}

function abilities(runs) {
  const { names, fed, profiles } = runs.abilities;
  if (!profiles.length) return [];
  const columns = [
    { name: 'Model', key: (row) => row.model, cell: (row) => row.model },
    ...names.map((name, at) => ({
      name,
      number: true,
      key: (row) => row.values[at]?.mean ?? null,
      cell: (row) => abilityCell(row.values[at]),
    })),
  ];
  return [
    h('div', { class: 'abilities' }, sortableTable('Ability profiles, in %', columns, profiles)),
    h('p', { class: 'soft' }, 'An ability is the mean over its suites of the means over their tasks, so that each suite counts as much; ± is the standard error.'),
    h('details', null, h('summary', null, 'Which tasks ask for which ability'),
      h('table', null, h('caption', null, 'Which tasks ask for which ability'),
        h('thead', null, h('tr', null, ['Ability', 'Suite', 'Tasks', 'Measure'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', null, fed.map((each) => h('tr', null, h('th', { scope: 'row' }, each.ability), h('td', null, each.suite), h('td', null, each.tasks), h('td', null, each.measure)))))),
  ];
}

function abilityCell(value) {
  if (!value) return '–';
  const bar = h('span', { class: 'level', 'aria-hidden': 'true' }, h('i'));
  bar.firstChild.style.width = `${value.mean}%`;
  return h('span', { title: `${plural(value.tasks, 'task')} of ${value.suites.join(', ')}` }, figure(value.mean), errorOf(value.error), bar);
}
