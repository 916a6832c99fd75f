// One sample with all that is known of it.

import { badge, h, percent, plural, say } from './elements.js';
import { assets, load, scene } from './documents.js';
import { lastQuery, listed, path, rowsOf } from './samples.js';
import { mountReplay } from './replay.js';

const LONG = 1200; // characters of a text that is folded

export async function sample(root, { runs, rest }) {
  const [run, number] = [rest[0], Number(rest[1])];
  const found = await load(`data/sample/${encodeURIComponent(run)}/${number}.json`);
  const rows = listed().length ? listed() : (await rowsOf(runs)).filter((row) => row.run === run);
  const at = rows.findIndex((row) => row.run === run && row.number === number);
  const back = `#/samples${lastQuery() ? `?${lastQuery()}` : ''}`;
  const go = (step) => { if (rows[at + step]) location.hash = path(rows[at + step]); };
  const bar = h('div', { class: 'bar-of-sample' }, h('a', { href: back }, '← all samples'),
    h('span', { class: 'steps' },
      h('button', { type: 'button', disabled: at <= 0, onclick: () => go(-1), title: 'the one before (k)' }, '↑ before'),
      ` ${at + 1} of ${rows.length} `,
      h('button', { type: 'button', disabled: at < 0 || at >= rows.length - 1, onclick: () => go(1), title: 'the next (j)' }, '↓ next')));
  root.append(bar);
  const key = (event) => {
    if (event.key === 'j') go(1);
    else if (event.key === 'k') go(-1);
    else if (event.key === 'Escape') location.hash = back;
  };
  if (!found) {
    const row = rows[at];
    if (!row) throw new Error('there is no such sample');
    root.append(h('h1', null, row.task, ' ', badge(row.verdict)), h('p', { class: 'instruction' }, row.instruction),
      h('p', { class: 'soft' }, 'This page was made without the details of this sample: homebody report --samples N takes in more of them, homebody view all.'));
    return { title: row.task, key };
  }
  const place = h('div', { class: 'replay' });
  root.append(...[
    h('h1', null, found.task, found.epoch > 1 ? ` (${found.epoch})` : '', ' ', badge(found.verdict)),
    h('p', { class: 'soft' }, `${found.model} on ${found.suite}, ${found.protocol} protocol${found.share === null ? '' : `, ${percent(found.share)} done`}`, found.problems.length ? `; ${found.problems.join(', ')}` : ''),
    h('p', { class: 'instruction' }, found.instruction),
    ...part('Why', found.explanation && h('p', { class: 'why' }, found.explanation)),
    ...part('Why it failed', found.labels.length && h('dl', { class: 'labels' }, found.labels.flatMap(([label, meaning]) => [h('dt', null, label), h('dd', null, meaning)]))),
    ...part('Goals', found.conditions.length && conditions(found.conditions)),
    place,
    ...part('What was done', found.trace.length && trace(found.trace, !found.replay)),
    ...part('Answer', found.answer !== null && text(found.answer || '(empty)')),
    ...part(found.logged ? 'What was asked and said' : 'What is asked', found.messages.length && messages(found.messages)),
    ...part('Where', found.error?.traceback && text(found.error.traceback)),
    ...part('Usage', Object.keys(found.usage).length && pairs(found.usage)),
    ...part('Record', Object.keys(found.record).length && pairs(found.record)),
  ].flat());
  replay(place, found, run, number);
  say(`${found.task}, ${found.verdict}`);
  return { title: found.task, key };
}

async function replay(place, found, run, number) {
  if (!found.replay) return;
  const folder = `data/replay/${encodeURIComponent(run)}/${number}`;
  place.append(h('h2', null, 'Step by step'), h('p', { class: 'soft' }, 'Playing it again ...'));
  try {
    const told = await load(`${folder}.json`);
    if (!told) { place.replaceChildren(); return; }
    const stage = h('div', { class: 'stage' });
    place.replaceChildren(h('h2', null, 'Step by step'), stage);
    mountReplay(stage, told, await assets(folder), scene);
  } catch (error) {
    place.replaceChildren(h('h2', null, 'Step by step'), h('p', { role: 'alert' }, `The replay cannot be shown: ${error.message}`));
  }
}

function part(title, content) {
  return content ? [h('h2', null, title), content] : [];
}

function text(words) {
  return h('pre', { tabindex: '0' }, words);
}

function messages(told) {
  return h('div', { class: 'messages' }, told.map(({ role, text: words }) => h('details', { open: role === 'assistant' || words.length < LONG, class: role },
    h('summary', null, h('strong', null, role), ` ${words.length.toLocaleString('en')} characters`), text(words))));
}

function conditions(told) {
  const met = told.filter(([, is]) => is).length;
  return [h('p', { class: 'soft' }, `${met} of ${told.length} met`), h('ul', { class: 'goals' }, told.map(([words, is]) => h('li', { class: is ? 'met' : 'open' },
    h('span', { 'aria-hidden': 'true' }, is ? '● ' : '○ '), h('span', { class: 'unseen' }, is ? 'met: ' : 'not met: '), words)))];
}

function trace(steps, open) {
  const roles = steps.some((step) => step.role);
  const problems = steps.some((step) => step.problem);
  const columns = ['Step', ...(roles ? ['Clock', 'Who'] : []), 'What', ...(problems ? ['Problem'] : [])];
  return h('details', { open: open && steps.length <= 60 }, h('summary', null, plural(steps.length, 'step')), h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'What was done' }, h('table', { class: 'trace' },
    h('caption', { class: 'unseen' }, 'What was done'),
    h('thead', null, h('tr', null, columns.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, steps.map((step, at) => h('tr', { class: step.problem === 'not tried' ? 'untried' : step.problem ? 'failed' : null },
      h('th', { scope: 'row' }, String(at + 1)),
      roles ? [h('td', { class: 'number' }, String(step.clock)), h('td', null, step.role)] : null,
      h('td', { class: 'code' }, step.call),
      problems ? h('td', null, step.problem ?? '') : null))))));
}

function pairs(record) {
  return h('div', { class: 'wide' }, h('table', { class: 'pairs' }, h('caption', { class: 'unseen' }, 'Record'), h('tbody', null, Object.entries(record).filter(([, value]) => value !== '').map(([name, value]) => h('tr', null,
    h('th', { scope: 'row' }, name.replaceAll('_', ' ')),
    h('td', null, value !== null && typeof value === 'object' ? text(short(value)) : value === null ? '–' : String(value)))))));
}

function short(value) {
  const flat = JSON.stringify(value);
  return flat.length <= 100 ? flat : JSON.stringify(value, null, 1);
}
