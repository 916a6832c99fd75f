// The list of what can be done: all of it, by kind, found by typing a part of it.

const SHOWN = 60;

const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
};

const readable = (words) => words.replaceAll(/_(\d+)/g, ' $1').replaceAll('_', ' ');

export const spoken = (option) => readable(option.words);

const argumentsOf = (call) => {
  const inside = call.slice(call.indexOf('[') + 1, -1);
  return inside ? inside.split(', ') : [];
};

export const mentions = (option, name) => argumentsOf(option.call).includes(name);

export class ActionList {
  constructor(list, search, act) {
    this.list = list;
    this.search = search;
    this.act = act;
    this.options = [];
    this.opened = new Set();
    search.addEventListener('input', () => this.draw());
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && search.value.trim()) {
        const first = this.list.querySelector('button:not(:disabled)');
        if (first) first.click();
        else if (/^\s*\w+\s*\[.*\]\s*$/.test(search.value)) this.act(search.value.trim()); // what is not listed
        event.preventDefault();
      } else if (event.key === 'ArrowDown') {
        this.list.querySelector('button, summary')?.focus();
        event.preventDefault();
      } else if (event.key === 'Escape') {
        search.value = '';
        this.draw();
      }
    });
    list.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const all = [...list.querySelectorAll('summary, details[open] button, :scope > button')];
      const next = all[all.indexOf(document.activeElement) + step];
      (next ?? search).focus();
      event.preventDefault();
    });
  }

  set(options) {
    this.options = options;
    this.draw();
  }

  draw() {
    const kept = this.list.contains(document.activeElement) ? document.activeElement.dataset.call : null;
    const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.options.filter((option) => {
      const text = `${option.call} ${spoken(option)}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    const kinds = new Map();
    for (const option of found) {
      const kind = option.call.slice(0, option.call.indexOf('['));
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push(option);
    }
    const parts = [];
    for (const [kind, options] of kinds) {
      if (options.length === 1 && !argumentsOf(options[0].call).length) {
        parts.push(this.button(options[0]));
        continue;
      }
      const group = element('details');
      group.open = wanted.length > 0 || this.opened.has(kind) || kinds.size === 1;
      const title = element('summary', `${readable(kind.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))} `);
      title.append(element('span', `(${options.length})`, 'count'));
      group.append(title);
      const fill = () => {
        if (group.childElementCount > 1) return;
        group.append(...options.slice(0, SHOWN).map((option) => this.button(option)));
        if (options.length > SHOWN) {
          group.append(element('p', `and ${options.length - SHOWN} more: type a part of what you mean`, 'more'));
        }
      };
      if (group.open) fill();
      group.addEventListener('toggle', () => {
        if (!this.search.value) this.opened[group.open ? 'add' : 'delete'](kind);
        if (group.open) fill();
      });
      parts.push(group);
    }
    if (!found.length && this.options.length) parts.push(element('p', 'Nothing in the list has that in it. An action written as Name[thing] is tried all the same.', 'more'));
    this.list.replaceChildren(...parts);
    if (kept) [...this.list.querySelectorAll('button')].find((button) => button.dataset.call === kept)?.focus();
  }

  button(option) {
    const made = element('button', spoken(option));
    made.type = 'button';
    made.dataset.call = option.call;
    made.addEventListener('click', () => this.act(option.call));
    return made;
  }
}
