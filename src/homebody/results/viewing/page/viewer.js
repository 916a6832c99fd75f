// The page as a whole: which view is shown, the theme, and what is new while runs go on.
// The address says it all after its #: #/, #/samples?suite=...&verdict=failure, #/sample/RUN/12.

import { h } from './elements.js';
import { forget, load } from './documents.js';
import { overview } from './overview.js';
import { samples } from './samples.js';
import { sample } from './sample.js';
import { about } from './about.js';

const VIEWS = { overview, samples, sample, about };
const EVERY = 2000; // milliseconds between looks for something new
const main = document.getElementById('main');
let shownView = null; // {name, refresh}
let turn = 0;

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function read() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, ...rest] = path.split('/').map(decoded);
  return { name: name in VIEWS ? name : 'overview', rest, params: new URLSearchParams(query ?? '') };
}

// Write filters into the address, without a new entry of the history for each letter.
function write(name, params) {
  const query = params.toString();
  history.replaceState(null, '', `#/${name}${query ? `?${query}` : ''}`);
}

async function show() {
  const { name, rest, params } = read();
  const mine = ++turn;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.view === name || (name === 'sample' && link.dataset.view === 'samples')) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  try {
    const runs = await load('data/runs.json');
    document.getElementById('name').textContent = runs.name;
    document.title = runs.name ? `${runs.name} – homebody` : 'homebody';
    const root = h('div', { class: name });
    const made = await VIEWS[name](root, { runs, params, rest, write: (changed) => write(name, changed) });
    if (mine !== turn) return;
    shownView?.close?.();
    shownView = { name, ...made };
    main.replaceChildren(root);
    if (made?.title) document.title = `${made.title} – homebody`;
    made?.placed?.();
    window.scrollTo(0, 0);
  } catch (error) {
    if (mine === turn) main.replaceChildren(h('p', { role: 'alert' }, `This cannot be shown: ${error.message}`));
  }
}

async function look(version) {
  let now = version;
  try {
    forget('data/version.json');
    now = (await load('data/version.json')).version;
    if (now !== version) {
      forget('data/');
      const runs = await load('data/runs.json');
      if (shownView?.refresh) await shownView.refresh(runs);
      document.getElementById('live').classList.remove('lost');
    }
  } catch {
    document.getElementById('live').classList.add('lost');
  }
  setTimeout(look, EVERY, now);
}

const THEMES = ['light dark', 'light', 'dark'];
const NAMES = { 'light dark': 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' };
function theme(chosen) {
  document.documentElement.style.colorScheme = chosen;
  const button = document.getElementById('theme');
  button.textContent = { 'light dark': '◐', light: '☀', dark: '☾' }[chosen];
  button.setAttribute('aria-label', NAMES[chosen]);
  button.title = NAMES[chosen];
  button.onclick = () => {
    const next = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length];
    try { localStorage.setItem('homebody-theme', next); } catch { /* not kept, then */ }
    theme(next);
  };
}
function keptTheme() {
  try { return localStorage.getItem('homebody-theme'); } catch { return null; }
}
theme(THEMES.includes(keptTheme()) ? keptTheme() : THEMES[0]);

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault(); // the address is the view's
  main.focus();
});
window.addEventListener('hashchange', show);
window.addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
});
document.addEventListener('keydown', (event) => {
  const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  shownView?.key?.(event);
});
begin();

async function begin() {
  await show();
  const runs = await load('data/runs.json').catch(() => ({}));
  if (!runs.live) return;
  document.getElementById('live').hidden = false;
  look((await load('data/version.json').catch(() => ({}))).version);
}
