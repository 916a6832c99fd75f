// The list of what can be done: all of it, by kind, found by typing a part of it.

const SHOWN = 60;
const FEW = 8; // kinds, of which those of few options are seen without being opened
const SOON = 200; // milliseconds after which more is looked for than was told
const FILLERS = new Set(['a', 'an', 'the', 'to', 'my', 'please']); // words that say nothing of what is meant

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

// How an action is called, without what it is done to: 'Go to'.
const verb = (option) => spoken(option).slice(0, readable(option.words).length - readable(argumentsOf(option.call).join(' ')).length).trim();

export const mentions = (option, name) => argumentsOf(option.call).includes(name);

export class ActionList {
  // act(call) does something; find(words) gives options that have words in them, also of those that are not told.
  constructor(list, search, act, find) {
    Object.assign(this, { list, search, act, find, options: [], more: [], untold: {}, about: new Map(), near: () => false });
    this.opened = new Map(); // kind -> whether it was opened or closed
    search.addEventListener('input', () => {
      this.draw();
      this.look();
    });
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

  // What can be done; of some kinds more than is told; what tools say of each kind; and near(name): whether that is at hand.
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

  // Looks for what has the words in it among what is not told.
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
    const found = [...matching, ...this.more]; // what is at hand first
    const atHand = new Map(found.map((option) => [option, argumentsOf(option.call).slice(0, 1).some(this.near)]));
    found.sort((a, b) => atHand.get(b) - atHand.get(a));
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
          group.append(element('p', `and ${options.length - SHOWN} more: type a part of what you mean`, 'more'));
        }
      };
      if (group.open) fill();
      group.addEventListener('toggle', () => {
        if (group.open) fill();
      });
      title.addEventListener('click', () => this.opened.set(kind, !group.open));
      parts.push(group);
    }
    if (!found.length && this.options.length) parts.push(element('p', 'Nothing that you can do now has that in it. What you have not come across yet has to be found first.', 'more'));
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
