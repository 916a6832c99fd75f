// All samples of all runs: filtered and sorted by what stands in the address. Only the rows that are seen are on the page.

import { VERDICTS, badge, compare, h, percent, plural, say } from './elements.js';
import { load } from './documents.js';

const ROW = 58; // pixels, as style.css has it
const SPARE = 12; // rows above and below those that are seen
const FILTERS = ['suite', 'model', 'run', 'verdict', 'problem', 'cluster', 'q'];
const LABELS = { suite: 'Suite', model: 'Model', verdict: 'Verdict', problem: 'Problem', cluster: 'Cluster' };
const COLUMNS = [
  { name: 'Verdict', key: (row) => VERDICTS.indexOf(row.verdict), cell: (row) => badge(row.verdict), kind: 'verdict' },
  { name: 'Task', key: (row) => row.task, cell: taskCell, kind: 'task' },
  { name: 'Model', key: (row) => row.model, cell: modelCell, kind: 'model' },
  { name: 'Problem', key: (row) => row.problems.join(', ') || null, cell: (row) => row.problems.join(', ') || '–', kind: 'problem' },
  { name: 'Done', key: (row) => row.share, cell: (row) => percent(row.share), number: true, kind: 'done' },
  { name: 'Tokens', key: (row) => row.tokens, cell: (row) => row.tokens?.toLocaleString('en') ?? '–', number: true, kind: 'tokens' },
];

let last = []; // the samples that were listed, for the next and the one before
export const listed = () => last;
let query = '';
export const lastQuery = () => query;

export function path(row) {
  return `#/sample/${encodeURIComponent(row.run)}/${row.number}`;
}

function taskCell(row) {
  return [h('a', { href: path(row) }, row.epoch > 1 ? `${row.task}, ${row.epoch}` : row.task), h('span', { class: 'under', title: row.instruction }, h('strong', { class: 'narrow' }, `${row.model}: `), row.instruction)];
}

function modelCell(row) {
  return [row.model, h('span', { class: 'under' }, row.suite, row.protocol === 'corrected' ? '' : `, ${row.protocol}`)];
}

export async function rowsOf(runs) {
  const all = await Promise.all(runs.runs.map((run) => load(`data/samples/${run.id}.json`)));
  return all.filter(Boolean).flatMap((run) => run.task.map((task, at) => {
    const instruction = run.instruction.words[run.instruction.at[at]];
    return {
      run: run.run, number: at, suite: run.suite, model: run.model, protocol: run.protocol, task,
      epoch: run.epoch[at],
      verdict: VERDICTS[run.verdict[at]],
      share: run.share[at],
      problems: run.problems.at[at].map((word) => run.problems.words[word]),
      cluster: run.cluster.words[run.cluster.at[at]],
      instruction,
      tokens: run.tokens[at],
      text: `${task}\n${instruction}\n${run.explanation[at]}`.toLowerCase(),
    };
  }));
}

const CHECKS = {
  suite: (row, wanted) => row.suite === wanted,
  model: (row, wanted) => row.model === wanted,
  run: (row, wanted) => row.run === wanted,
  verdict: (row, wanted) => row.verdict === wanted,
  problem: (row, wanted) => row.problems.includes(wanted),
  cluster: (row, wanted) => row.cluster === wanted,
  q: (row, words) => words.every((word) => row.text.includes(word)),
};

// The rows that all filters keep; and for each that can be chosen, how many rows each of its values would leave, so that
// no choice is empty: a row counts for a filter if no other one drops it.
function filtered(rows, params) {
  const words = (params.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const checks = FILTERS.filter((name) => (name === 'q' ? words.length : params.get(name)))
    .map((name) => [name, CHECKS[name], name === 'q' ? words : params.get(name)]);
  const counts = Object.fromEntries(Object.keys(LABELS).map((name) => [name, new Map()]));
  const count = (name, value) => { if (value) counts[name].set(value, (counts[name].get(value) ?? 0) + 1); };
  const found = [];
  for (const row of rows) {
    let dropped = null;
    let by = 0;
    for (const [name, keeps, wanted] of checks) {
      if (keeps(row, wanted)) continue;
      dropped = name;
      by += 1;
      if (by > 1) break;
    }
    if (by > 1) continue;
    if (!by) found.push(row);
    for (const name in counts) {
      if (by && name !== dropped) continue;
      if (name === 'problem') for (const problem of row.problems) count(name, problem);
      else count(name, row[name]);
    }
  }
  return { found, counts };
}

export async function samples(root, { runs, params, write }) {
  let rows = await rowsOf(runs);
  let found = [];
  let left = {};
  const count = h('p', { class: 'count' });
  const controls = h('form', { class: 'filters', role: 'search', 'aria-label': 'Filters', onsubmit: (event) => event.preventDefault() });
  const search = h('input', { type: 'search', id: 'q', placeholder: 'words of instruction or explanation', value: params.get('q') ?? '', autocomplete: 'off', spellcheck: 'false' });
  const reset = h('button', { type: 'button', onclick: () => { for (const name of FILTERS) params.delete(name); search.value = ''; changed(); } }, 'Clear');
  const list = virtualTable();
  let timer = 0;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => { set('q', search.value); }, 80);
  });

  function set(name, value) {
    if (value) params.set(name, value);
    else params.delete(name);
    changed();
  }

  function changed() {
    write(params);
    apply();
    fillControls();
    list.top();
  }

  function fillControls() {
    const selects = Object.keys(LABELS).map((name) => select(name)).filter(Boolean);
    const run = params.get('run');
    const chip = run ? h('button', { type: 'button', class: 'chip', onclick: () => set('run', '') }, `${runs.runs.find((each) => each.id === run)?.name ?? run}, one run `, h('span', { 'aria-hidden': 'true' }, '×'), h('span', { class: 'unseen' }, 'remove')) : null;
    const focused = document.activeElement?.id;
    controls.replaceChildren(h('label', { for: 'q', class: 'search' }, h('span', null, 'Search'), search), ...selects, ...(chip ? [chip] : []), reset);
    if (focused && controls.querySelector(`#${CSS.escape(focused)}`) && document.activeElement?.id !== focused) document.getElementById(focused).focus();
    reset.disabled = !FILTERS.some((name) => params.get(name));
  }

  function select(name) {
    const counts = new Map(left[name]);
    const chosen = params.get(name) ?? '';
    if (!counts.size && !chosen) return null;
    if (counts.size > 300 && name === 'cluster') for (const [value] of [...counts].sort((a, b) => b[1] - a[1]).slice(300)) if (value !== chosen) counts.delete(value);
    const values = [...counts.keys()].sort((a, b) => (name === 'verdict' ? VERDICTS.indexOf(a) - VERDICTS.indexOf(b) : compare(a, b)));
    if (chosen && !counts.has(chosen)) values.unshift(chosen);
    return h('label', null, h('span', null, LABELS[name]), h('select', { id: `filter-${name}`, onchange: (event) => set(name, event.target.value) },
      h('option', { value: '' }, 'all'),
      values.map((value) => h('option', { value, selected: value === chosen }, `${value.length > 60 ? `${value.slice(0, 57)}...` : value} (${counts.get(value) ?? 0})`))));
  }

  function apply() {
    ({ found, counts: left } = filtered(rows, params));
    const by = COLUMNS.find((column) => column.kind === params.get('sort'));
    const down = params.get('down') === '1';
    if (by) {
      const keyed = found.map((row) => [by.key(row), row]);
      keyed.sort((a, b) => compare(a[0], b[0], down));
      found = keyed.map(([, row]) => row);
    }
    last = found;
    query = params.toString();
    count.textContent = found.length === rows.length ? plural(rows.length, 'sample') : `${found.length.toLocaleString('en')} of ${plural(rows.length, 'sample')}`;
    say(count.textContent);
    list.show(found, by, down);
  }

  list.onsort = (column) => {
    const down = params.get('sort') === column.kind ? params.get('down') !== '1' : Boolean(column.number);
    params.set('sort', column.kind);
    if (down) params.set('down', '1');
    else params.delete('down');
    write(params);
    apply();
  };
  root.append(h('h1', { class: 'unseen' }, 'Samples'), controls, count, list.element);
  apply();
  fillControls();
  return {
    title: 'Samples',
    placed: () => list.draw(),
    close: () => list.close(),
    key: (event) => {
      if (event.key !== '/') return;
      event.preventDefault();
      search.focus();
    },
    refresh: async (now) => {
      runs = now;
      rows = await rowsOf(now);
      apply();
      fillControls();
    },
  };
}

// A table of which only the rows near those that are seen exist. The window scrolls.
function virtualTable() {
  const body = h('tbody');
  const heads = COLUMNS.map((column) => h('th', { scope: 'col', class: `${column.kind} ${column.number ? 'number' : ''}` },
    h('button', { type: 'button', onclick: () => made.onsort(column) }, column.name)));
  const table = h('table', { class: 'samples-table' }, h('caption', { class: 'unseen' }, 'Samples'),
    h('colgroup', null, COLUMNS.map((column) => h('col', { class: column.kind }))), h('thead', null, h('tr', { 'aria-rowindex': '1' }, heads)), body);
  const element = h('div', { class: 'list' }, table);
  let rows = [];
  let drawn = '';
  const draw = () => {
    if (!element.isConnected) return;
    const above = window.scrollY - (body.getBoundingClientRect().top + window.scrollY);
    const printing = matchMedia('print').matches;
    const first = printing ? 0 : Math.max(0, Math.min(Math.floor(above / ROW) - SPARE, rows.length - 1));
    const after = printing ? Math.min(rows.length, 1000) : Math.min(rows.length, Math.ceil((above + window.innerHeight) / ROW) + SPARE);
    if (drawn === `${first} ${after}`) return;
    drawn = `${first} ${after}`;
    const focused = body.contains(document.activeElement) ? document.activeElement.closest('tr')?.getAttribute('aria-rowindex') : null;
    const space = (height) => {
      const row = h('tr', { class: 'space', 'aria-hidden': 'true' }, COLUMNS.map((column) => h('td', { class: column.kind })));
      row.firstChild.style.height = `${height}px`;
      return row;
    };
    body.replaceChildren(space(first * ROW), ...rows.slice(first, after).map((row, at) => h('tr', { 'aria-rowindex': first + at + 2 },
      COLUMNS.map((column) => h(column.kind === 'task' ? 'th' : 'td', { class: `${column.kind} ${column.number ? 'number' : ''}`, scope: column.kind === 'task' ? 'row' : null },
        h('div', null, column.cell(row)))))), space(Math.max(0, rows.length - after) * ROW));
    if (focused) body.querySelector(`tr[aria-rowindex="${focused}"] a`)?.focus({ preventScroll: true });
  };
  const later = () => requestAnimationFrame(draw);
  const all = () => { drawn = ''; draw(); };
  window.addEventListener('scroll', later, { passive: true });
  window.addEventListener('resize', all);
  window.addEventListener('beforeprint', all);
  body.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = Number(event.target.closest('tr')?.getAttribute('aria-rowindex')) + step;
    const link = () => body.querySelector(`tr[aria-rowindex="${index}"] a`);
    if (!link()) {
      window.scrollTo(0, body.getBoundingClientRect().top + window.scrollY + (index - 2) * ROW - window.innerHeight / 2);
      draw();
    }
    link()?.focus();
    link()?.closest('tr').scrollIntoView({ block: 'nearest' });
  });
  const made = {
    element,
    onsort: () => {},
    draw,
    top() { if (window.scrollY > element.offsetTop) window.scrollTo(0, Math.max(0, element.offsetTop - 160)); },
    show(found, by, down) {
      rows = found;
      table.setAttribute('aria-rowcount', String(rows.length + 1));
      table.classList.toggle('no-tokens', rows.every((row) => row.tokens === null));
      heads.forEach((head, at) => {
        if (COLUMNS[at] === by) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        else head.removeAttribute('aria-sort');
      });
      drawn = '';
      draw();
    },
    close() {
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', all);
      window.removeEventListener('beforeprint', all);
    },
  };
  return made;
}
