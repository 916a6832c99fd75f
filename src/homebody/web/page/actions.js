// The list of possible actions by kind, searched by typing part of an action.

const SHOWN = 60;
const FEW = 8; // up to this many kinds, each with up to this many options, are shown open
const SOON = 200; // milliseconds after typing before unlisted actions are searched
const FILLERS = new Set(['a', 'an', 'the', 'to', 'my', 'please']); // words that do not identify an action

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

// The name of an action without its arguments: 'Go to'.
const verb = (option) => spoken(option).slice(0, readable(option.words).length - readable(argumentsOf(option.call).join(' ')).length).trim();

export const mentions = (option, name) => argumentsOf(option.call).includes(name);

export class ActionList {
  // act(call) does an action; find(words) returns options that contain the words, also unlisted ones.
  constructor(list, search, act, find) {
    Object.assign(this, { list, search, act, find, options: [], more: [], untold: {}, about: new Map(), near: () => false });
    this.opened = new Map(); // kind -> true if opened, false if closed
    search.addEventListener('input', () => {
      this.draw();
      this.look();
    });
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && search.value.trim()) {
        const first = this.list.querySelector('button:not(:disabled)');
        if (first) first.click();
        else if (/^\s*\w+\s*\[.*\]\s*$/.test(search.value)) this.act(search.value.trim()); // also an unlisted action
        event.preventDefault();
      } else if (event.key === 'ArrowDown') {
        this.list.querySelector('button, summary')?.focus();
        event.preventDefault();
      } else if (event.key === 'Escape') {
        this.clear();
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

  // Sets the options, the counts of unlisted options, the tools with descriptions, and near(name): true if it is in reach.
  set(options, untold, tools, near) {
    Object.assign(this, { options, untold, near, more: [], about: new Map(tools.map((tool) => [tool.name, tool.description])) });
    this.draw();
    this.look();
  }

  clear() {
    this.search.value = '';
    this.draw();
  }

  words() {
    const words = this.search.value.replace(/^\//, '').toLowerCase().split(/\s+/).filter(Boolean);
    return words.filter((word) => words.length === 1 || !FILLERS.has(word));
  }

  // Searches unlisted options for the words.
  look() {
    clearTimeout(this.looking);
    this.more = [];
    const words = this.words();
    if (!words.length || !Object.keys(this.untold).length) return;
    this.looking = setTimeout(async () => {
      const found = await this.find(words.join(' '));
      if (words.join() !== this.words().join()) return;
      const known = new Set(this.options.map((option) => option.call));
      this.more = found.filter((option) => !known.has(option.call));
      if (this.more.length) this.draw();
    }, SOON);
  }

  draw() {
    const kept = this.list.contains(document.activeElement) ? document.activeElement.dataset.call : null;
    const wanted = this.words();
    const matching = this.options.filter((option) => {
      const text = `${option.call} ${option.words} ${spoken(option)}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    const found = [...matching, ...this.more]; // options in reach first
    const inReach = new Map(found.map((option) => [option, argumentsOf(option.call).slice(0, 1).some(this.near)]));
    found.sort((a, b) => inReach.get(b) - inReach.get(a));
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
      group.open = wanted.length > 0 || (this.opened.get(kind) ?? (kinds.size === 1 || (kinds.size <= FEW && options.length <= FEW)));
      const title = element('summary', `${verb(options[0])} `);
      title.append(element('span', `(${(!wanted.length && this.untold[kind]) || options.length})`, 'count'));
      if (this.about.has(kind)) title.append(element('small', this.about.get(kind)));
      group.append(title);
      const fill = () => {
        if (group.childElementCount > 1) return;
        group.append(...options.slice(0, SHOWN).map((option) => this.button(option)));
        if (options.length > SHOWN) {
          group.append(element('p', `and ${options.length - SHOWN} more: type part of the action`, 'more'));
        }
      };
      if (group.open) fill();
      group.addEventListener('toggle', () => {
        if (group.open) fill();
      });
      title.addEventListener('click', () => this.opened.set(kind, !group.open));
      parts.push(group);
    }
    if (!found.length && this.options.length) parts.push(element('p', 'No action that you can do now matches. Things that you have not seen yet must be found first.', 'more'));
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
