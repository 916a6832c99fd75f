// Elements of the page. Whatever is shown is put in as text, never as markup: it may be from anybody.

export function h(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const VERDICTS = ['success', 'partial', 'failure', 'left out', 'error'];
const MARKS = { success: '✓', partial: '◐', failure: '✗', 'left out': '–', error: '!' };

export function badge(verdict) {
  return h('span', { class: `badge ${verdict.replace(' ', '-')}` },
    h('span', { 'aria-hidden': 'true' }, MARKS[verdict] ?? '?'), ` ${verdict}`);
}

export function percent(share) {
  return share === null || share === undefined ? '–' : `${Math.round(100 * share)} %`;
}

export function plural(number, word) {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

// A number as the tables of the papers have it.
export function figure(value, isCount = false) {
  if (value === null || value === undefined) return '–';
  return isCount ? String(Math.round(value)) : value.toFixed(1);
}

export function say(text) {
  document.getElementById('said').textContent = text;
}

// A table of which the columns can be sorted. A column is {name, cell(row), key(row), number, title}.
export function sortableTable(caption, columns, rows, { sorted = null, down = false, rowClass = () => null } = {}) {
  const body = h('tbody');
  const heads = columns.map((column, at) => h('th', { scope: 'col', class: column.number ? 'number' : null, title: column.title },
    h('button', { type: 'button', onclick: () => sort(at) }, column.name)));
  let by = sorted;
  let descending = down;

  function sort(at) {
    descending = by === at ? !descending : Boolean(columns[at].number);
    by = at;
    fill();
    say(`sorted by ${columns[at].name}, ${descending ? 'descending' : 'ascending'}`);
  }

  function fill() {
    const ordered = by === null ? rows : [...rows].sort((a, b) => compare(columns[by].key(a), columns[by].key(b), descending));
    heads.forEach((head, at) => {
      if (at === by) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    body.replaceChildren(...ordered.map((row) => h('tr', { class: rowClass(row) }, columns.map((column, at) => (
      at === 0 ? h('th', { scope: 'row' }, column.cell(row)) : h('td', { class: column.number ? 'number' : null }, column.cell(row)))))));
  }
  fill();
  return h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', null, h('caption', null, caption), h('thead', null, h('tr', null, heads)), body));
}

// What has no value goes last, however it is sorted.
export function compare(a, b, descending) {
  const none = (value) => value === null || value === undefined || Number.isNaN(value);
  if (none(a) || none(b)) return none(a) - none(b);
  const order = typeof a === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
  return descending ? -order : order;
}
