// The page: observations and actions of a role. The token is in the fragment of the address, which is never sent:
// #TOKEN of a role, #lobby=TOKEN of the lobby, #study=TOKEN of a participant of a study.

import { ActionList, mentions, spoken } from './actions.js';
import { askJson, live, newId, NotThere, Refused } from './connection.js';

const $ = (id) => document.getElementById(id);
// Keys of small steps, if the role has them.
const STEPS = {
  w: ['MoveAhead'], ArrowUp: ['MoveAhead'], a: ['TurnLeft', 'RotateLeft'], ArrowLeft: ['TurnLeft', 'RotateLeft'],
  d: ['TurnRight', 'RotateRight'], ArrowRight: ['TurnRight', 'RotateRight'], r: ['LookUp'], PageUp: ['LookUp'],
  f: ['LookDown'], PageDown: ['LookDown'],
};
// The most likely actions on a thing that is pointed at: nearby and from afar.
const NEAR = ['Place', 'Give', 'PlaceAhead', 'Pick', 'PickAhead', 'Take', 'Open', 'PowerOn', 'Fill', 'Clean', 'Close', 'Navigate', 'Explore'];
const FAR = ['PlaceAhead', 'PickAhead', 'Navigate', 'Explore'];
let token = '';
let seat = null;
let receivedAt = 0; // when the observation arrived, in milliseconds of the page
let house = null;
let partner = null; // the house as the partner sees it, if that is shown
let chosen = null; // the thing whose menu is open
let pictured = -1; // revision of the pictures that are shown
let sending = false;
let finished = false;
let most = null;
let started = false;
let about = ''; // further information on an attempt before it starts
let watch = () => {}; // shows the time left
let aimed = null; // the thing that is pointed at
let wanted = ''; // key of a pending small step
let events = []; // oldest first

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
const list = new ActionList($('options'), $('search'), intend, (words) => askJson(`/seat/options?words=${encodeURIComponent(words.slice(0, 200))}`, token));
const name = (text) => text.replaceAll(/_(\d+)/g, ' $1').replaceAll('_', ' ');
// A message in words: 'Navigate[cup_0]' becomes 'go to cup 0'.
function plain(text) {
  const called = new Map((seat?.tools ?? []).map((tool) => [tool.name, tool.words.toLowerCase()]));
  return name(text.replaceAll(/\b(\w+)\[([^\]]*)\]/g, (whole, kind, things) => (called.has(kind) ? `${called.get(kind)} ${things.replaceAll(',', '')}`.trim() : whole)));
}
// An action within a sentence: 'go to shelf 2', 'put cup 0 on table 1'.
const phrase = (action) => spoken(action).replace(/^./, (first) => first.toLowerCase());
const element = (kind, text, className = '') => Object.assign(document.createElement(kind), { textContent: text, className });

function message(title, ...paragraphs) {
  $('game').hidden = true;
  if (!seat) $('instruction').textContent = '';
  const heading = element('h2', title);
  heading.tabIndex = -1;
  $('message').replaceChildren(heading, ...paragraphs.map((p) => (p instanceof Node ? p : element('p', p))));
  if (document.activeElement === document.body) heading.focus();
}

// -- observations ----------------------------------------------------------------------------------------------

// Shows the task and the players.
function introduce(now) {
  seat = now;
  receivedAt = performance.now();
  $('role').textContent = now.others.length ? `You are the ${now.role}` : 'Your task';
  const [first, ...more] = name(now.instruction).split('\n');
  $('instruction').textContent = first;
  $('more').textContent = more.join('\n').trim();
  document.title = first.slice(0, 60);
  $('task').textContent = `${now.suite} · ${now.task}`;
  most ??= now.left; // show only a budget that decreases
  const left = now.left !== null && now.left < most ? [`${now.left} ${now.left === 1 ? 'action' : 'actions'} left`] : [];
  const clock = now.scene ? [`${minutes(now.seconds)} in the house`] : [];
  $('clock').textContent = [...clock, ...left].join(' · ');
  showPartners(now);
}

function show(now) {
  introduce(now);
  const awaited = now.others.filter((other) => !other.here);
  if (now.ending !== null) {
    showEnd();
    return;
  }
  if (awaited.length) {
    status('waiting', 'waiting');
    message('Waiting for the other player', `The ${name(awaited[0].role)} has not pressed Start yet. The game starts as soon as they do.`);
    return;
  }
  $('message').replaceChildren();
  $('game').hidden = false;
  if (now.ready) status('Your turn: what do you do?', 'ready');
  else if (now.busy) status(`You are busy: ${phrase(now.busy)}`, 'busy');
  else status('Your part is over; the others continue', 'busy');
  $('text').textContent = now.text;
  showChat(now);
  showNews(now);
  list.set(now.ready ? now.options : [], now.untold, now.tools, (thing) => Boolean(house?.solid(thing)?.near));
  $('search').disabled = !now.ready;
  showWorld(now);
  if (chosen) openMenu(chosen.solid, chosen.x, chosen.y);
  takeStep();
}

function status(text, kind) {
  const line = $('status');
  if (line.textContent !== text) line.textContent = text;
  line.className = kind;
}

function showPartners(now) {
  const kinds = { person: 'a person', model: 'an AI model' };
  $('partner').textContent = now.others.map((other) => {
    const who = `The ${name(other.role)} is ${kinds[other.kind] ?? 'the computer'}`;
    if (other.done) return `${who} and is done`;
    if (other.thinking !== null) return `${who} and has been thinking for ${minutes(other.thinking + (performance.now() - receivedAt) / 1000)}`;
    return other.doing ? `${who}. You see: ${phrase(other.doing)}` : who;
  }).join(' · ');
}

function showNews(now) {
  const known = new Set(events.map((event) => event.key));
  for (const event of now.news) {
    const key = `${event.role} ${event.call} ${event.start} ${event.end} ${event.message}`;
    if (known.has(key)) continue;
    events.push({ ...event, key });
    const own = event.role === now.role; // messages are for the acting role
    const line = element('li', own ? `${spoken(event)}: ${plain(event.message)}` : `${name(event.role)}: ${phrase(event)}${event.ok ? '' : ' (failed)'}`);
    line.className = event.ok ? (event.role === now.role ? '' : 'theirs') : 'failed';
    $('news').append(line);
  }
  while ($('news').childElementCount > 60) $('news').firstChild.remove();
  events = events.slice(-200);
  $('news').scrollTop = $('news').scrollHeight;
}

function showChat(now) {
  $('chat').hidden = !now.messages;
  const log = $('said');
  for (const message of (now.messages ?? []).slice(log.childElementCount)) {
    const line = element('li', '');
    line.append(element('strong', message.role === now.role ? 'you' : message.role), `: ${message.text}`);
    log.append(line);
    log.scrollTop = log.scrollHeight;
  }
}

async function write(event) {
  event.preventDefault();
  const text = $('write').value.trim();
  if (!text) return;
  try {
    await askJson('/seat/message', token, { id: newId(), text });
    $('write').value = '';
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    status(error.message, 'lost');
  }
}

// Shows held things in 3-D worlds; elsewhere the text has them.
function showHands() {
  $('hands').textContent = house?.held.length ? `In your hand: ${house.held.map(name).join(', ')}` : '';
}

async function showWorld(now) {
  $('stage').classList.toggle('bare', !now.scene);
  $('view').hidden = !now.scene;
  document.querySelector('.tools').hidden = !now.scene;
  $('knowledge').open ||= !now.scene && !now.images.length;
  if (now.scene) {
    try {
      const { House } = await import('./house.js');
      if (!house) {
        house = new House($('view'), token, {
          point: pointed, choose: openMenu, label: showLabels, go: goTo, role: () => seat.role,
        });
        window.homebodyHouse = house;
      }
      await house.update(now.revision);
      if (house.revision < seat.revision) await house.update(seat.revision);
      list.draw(); // other things may be in reach now
      showHands();
      if (now.partners_view && now.others.length) await showPartner(House, now);
      if (!$('cross').hidden) house.aimAtMiddle();
      if (aimed) pointed(house.solid(aimed.name)); // which may have changed
    } catch (error) {
      console.error(error);
      $('stage').classList.add('bare'); // without 3-D the list and the text suffice
      $('view').hidden = true;
      $('knowledge').open = true;
    }
  } else if (now.images.length && pictured !== now.revision) {
    pictured = now.revision;
    const pictures = await Promise.all(now.images.map(async (image) => {
      const { ask } = await import('./connection.js');
      const made = element('img', '');
      made.src = URL.createObjectURL(await (await ask(image.url.replace('/api/v1', ''), token)).blob());
      made.alt = `what you see: ${image.name}`;
      made.onload = () => URL.revokeObjectURL(made.src);
      return made;
    }));
    if (pictured === now.revision) $('pictures').replaceChildren(...pictures);
  }
}

// Shows the other player's view, small.
async function showPartner(House, now) {
  const [{ role }] = now.others;
  if (!partner) {
    $('partnerview').hidden = false;
    $('partnerview').lastElementChild.textContent = `what the ${name(role)} sees`;
    partner = new House($('partnerview').firstElementChild, token, { point() {}, label() {}, role: () => role }, role);
    window.homebodyPartner = partner;
  }
  await partner.update(now.revision);
}

async function showEnd() {
  if (finished) return;
  finished = true;
  status('The game is over', 'busy');
  const result = await askJson('/seat/result', token);
  const title = { true: 'Done: the task is solved', false: 'The task is not solved: something is missing' }[result.success] ?? 'The game is over';
  const parts = [];
  if (seat.ending !== 'everybody is done') parts.push(element('p', `The game ended: ${seat.ending}.`));
  for (const line of result.explanation) {
    const [, head, rest] = /^([^:]*):\s(.*; .*)$/.exec(line) ?? [null, line, '']; // list missing conditions
    parts.push(element('p', name(head) + (rest ? ':' : '')));
    const points = element('ul', '');
    points.append(...rest.split('; ').filter(Boolean).map((each) => element('li', name(each))));
    if (rest) parts.push(points);
  }
  const scores = Object.entries(result.score).map(([key, value]) => `${name(key)}: ${Math.round(100 * value)} %`);
  const numbers = element('details', '');
  numbers.append(element('summary', 'Numbers'), element('p', scores.join(' · ')));
  if (scores.length) parts.push(numbers);
  const onward = { lobby: 'Play another', study: 'Continue' }[location.hash.slice(1).split('=')[0]];
  if (onward) {
    const again = element('button', onward);
    again.type = 'button';
    again.addEventListener('click', () => {
      sessionStorage.removeItem(location.hash);
      location.reload();
    });
    parts.push(again);
  }
  message(title, ...parts);
}

// -- actions -----------------------------------------------------------------------------------------------------

// Does an action; asks first if it ends the player's part.
function intend(call) {
  if (!call.startsWith('Done[') || !seat?.ready) {
    act(call);
    return;
  }
  $('sure').returnValue = '';
  $('suretext').textContent = house?.held.length ? `You still hold ${house.held.map(name).join(' and ')}.` : 'Your part then ends, and you cannot act any more.';
  $('sure').onclose = () => { if ($('sure').returnValue === 'yes') act(call); };
  $('sure').showModal();
}

async function act(call) {
  if (!seat?.ready || sending) return;
  sending = true;
  closeMenu();
  if (house) house.goal = call.startsWith('Navigate[') ? call.slice(9, -1) : '';
  for (const button of document.querySelectorAll('#options button')) button.disabled = true;
  const doing = seat.options.find((option) => option.call === call);
  status(`You: ${doing ? phrase(doing) : name(call)}`, 'busy');
  try {
    const reply = await askJson('/seat/act', token, { id: newId(), said: call });
    list.clear();
    if (reply.event && !reply.event.ok) status(plain(reply.event.message), 'lost');
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    status(plain(error.message), 'lost');
    list.draw();
  } finally {
    sending = false;
    takeStep();
  }
}

function takeStep() {
  if (!wanted || !seat?.ready || sending) return;
  const step = seat.options.find((option) => STEPS[wanted].some((kind) => option.call.startsWith(`${kind}[`)));
  wanted = '';
  if (step) act(step.call);
}

// The most likely option for a thing that is pointed at.
function likely(solid) {
  if (!solid || !seat?.ready) return null;
  const names = [solid.name, ...(['floor', 'wall', 'ceiling'].includes(solid.kind) ? [solid.room] : [])];
  const about = seat.options.filter((option) => names.some((each) => mentions(option, each)));
  const order = solid.near ? NEAR : FAR;
  for (const kind of order) {
    const found = about.find((option) => option.call.startsWith(`${kind}[`));
    if (found) return found;
  }
  return null;
}


function goTo(solid) {
  const walk = ['Navigate', 'Explore'].flatMap((kind) => [solid.name, solid.room].map((to) => `${kind}[${to}]`))
    .map((call) => seat?.options.find((option) => option.call === call)).find(Boolean);
  if (walk) act(walk.call);
}

function pointed(solid) {
  aimed = solid;
  const states = Object.entries(solid?.states ?? {}).filter(([state, so]) => so || state !== 'locked')
    .map(([state, so]) => (so ? name(state) : `not ${name(state)}`));
  $('pointed').hidden = !solid;
  const meant = likely(solid);
  const what = solid ? [name(solid.kind === 'wall' || solid.kind === 'ceiling' ? solid.room : solid.name), ...states].join(', ') : '';
  $('pointed').textContent = meant && !matchMedia('(pointer: coarse)').matches ? `${what} · e: ${phrase(meant)}` : what;
}

function showLabels(labels) {
  $('labels').replaceChildren(...labels.map(({ text, x, y }) => {
    const made = element('span', name(text));
    made.style.left = `${x}px`;
    made.style.top = `${y}px`;
    return made;
  }));
}

function openMenu(solid, x, y) {
  const had = $('menu').contains(document.activeElement);
  closeMenu();
  if (!solid || !seat) return;
  const names = [solid.name];
  if (['floor', 'wall', 'ceiling'].includes(solid.kind)) names.push(solid.room);
  const options = seat.options.filter((option) => names.some((each) => mentions(option, each)));
  const shell = solid.kind === 'wall' || solid.kind === 'ceiling';
  const menu = $('menu');
  chosen = { solid, x, y };
  menu.replaceChildren(element('h2', name(shell ? solid.room : solid.name)));
  if (solid.holder && !shell) menu.append(element('p', `${name(solid.relation)} ${name(solid.holder)}`));
  if (!options.length) {
    menu.append(element('p', seat.ready ? 'You cannot do anything with it now.' : 'You can act when it is your turn.'));
  }
  menu.append(...options.slice(0, 40).map((option) => list.button(option)));
  menu.hidden = false;
  const { clientWidth: width, clientHeight: height } = $('stage');
  const [right, left] = [x + 16 + menu.offsetWidth < width, x - 16 - menu.offsetWidth > 0]; // never under the pointer, which may click again
  const across = right ? x + 16 : left ? x - 16 - menu.offsetWidth : 4;
  menu.style.left = `${across}px`;
  menu.style.top = `${Math.max(4, Math.min(right || left ? y : y + 24, height - menu.offsetHeight - 8))}px`;
  if (had) menu.querySelector('button')?.focus();
}

function closeMenu() {
  chosen = null;
  $('menu').hidden = true;
}

function plan(on) {
  $('plan').setAttribute('aria-pressed', String(on));
  closeMenu();
  house?.plan(on);
}

function help() {
  const where = matchMedia('(max-width: 860px)').matches ? 'below' : 'on the right';
  const touched = matchMedia('(pointer: coarse)').matches;
  const others = seat?.others.map((other) => `the ${name(other.role)}`).join(' and ');
  const lines = [
    `${started ? 'The task is at the top. Do it' : 'You do the task'} with the actions ${where}: open a kind of action, or type part of an action${touched ? '' : ', and press Enter'}.`,
    ...(seat?.scene ? [
      `You see the house as you know it, without what you have not seen yet. ${touched ? 'Drag to look around.' : 'Drag to look around, or use the arrow keys.'}`,
      `${touched ? 'Tap' : 'Click'} on a thing, or on the floor, to see its actions; twice to go there. “Plan” shows the house from above: the red arrow is you.`,
    ] : []),
    ...(others ? [`You do it together with ${others}, who acts at the same time. Time passes while you think, as soon as you press Start. ${seat.partners_view ? 'Their view and actions are shown in a small picture.' : 'You see what others do when they are near you.'}`] : []),
    ...(seat?.tools.some((tool) => tool.name === 'Done') ? ['When you think that the task is done, choose “Done”.'] : []),
    ...(seat?.scene && !touched ? ['Keys in the view: a and d turn, w goes to the thing in the middle (into a room, to look around there), e does the action beside its name, such as picking it up or putting down what you hold there.'] : []),
    ...(touched ? [] : [`Keys: / finds an action · Enter does it · ${seat?.scene ? 'm shows the plan · ' : ''}Esc closes · ? shows this.`]),
  ];
  $('helplist').replaceChildren(...lines.map((line) => element('li', line)));
  $('asked').hidden = started;
  $('askedtext').textContent = [about, name(seat?.instruction ?? '')].filter(Boolean).join('\n\n');
  $('helpdone').textContent = started ? 'Continue' : 'Start';
  $('help').showModal();
  return new Promise((closed) => { $('help').onclose = closed; });
}

// Points at the middle of the view until the pointer moves.
function aim() {
  $('cross').hidden = $('plan').getAttribute('aria-pressed') === 'true';
  house.aimAtMiddle();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (event.key === 'Escape') closeMenu();
  if (event.target.matches?.('input, textarea')) return;
  const inView = event.target === $('view') || event.target === document.body;
  const steps = STEPS[event.key] ?? [];
  const bySteps = seat?.tools.some((tool) => tool.name === 'MoveAhead');
  const turn = { ArrowLeft: [12, 0], ArrowRight: [-12, 0], ArrowUp: [0, 8], ArrowDown: [0, -8], a: [15, 0], d: [-15, 0] }[event.key];
  if (event.key === '/') $('search').focus();
  else if (event.key === '?') help();
  else if (event.key === 'm') plan($('plan').getAttribute('aria-pressed') !== 'true');
  else if (!inView) return;
  else if (steps.length && bySteps) {
    wanted = event.key; // done at once or after the current action
    takeStep();
  } else if (!house) {
    return;
  } else if (turn) {
    house.turn(...turn);
    aim();
  } else if (event.key === 'w' || event.key === 'e') {
    if ($('cross').hidden && !aimed) aim();
    const meant = event.key === 'e' && likely(aimed);
    if (meant) act(meant.call);
    else if (event.key === 'w' && aimed) goTo(aimed);
  } else return;
  event.preventDefault();
}

// -- start -------------------------------------------------------------------------------------------------------

async function seatOfLobby(lobby) {
  const kept = sessionStorage.getItem(location.hash);
  if (kept) return kept; // the page was reloaded
  status('waiting', 'waiting');
  let ticket = '';
  for (;;) {
    try {
      ticket ||= (await askJson('/lobby', lobby, {})).ticket;
      const now = await askJson('/lobby', ticket);
      if (now.seat) {
        sessionStorage.setItem(location.hash, now.seat);
        return now.seat;
      }
      message('Waiting for another player', `${now.waiting} of ${now.needed} are here. Keep this page open; the game starts by itself.`);
    } catch (error) {
      if (!(error instanceof NotThere) || !ticket) throw error;
      ticket = ''; // the ticket expired while the page slept
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

async function seatOf(fragment) {
  const [kind, value] = fragment.split('=');
  if (kind === 'lobby') return seatOfLobby(value);
  if (kind !== 'study') return fragment;
  status('', '');
  $('role').textContent = '';
  const { seatOfStudy, watchTime } = await import('./study.js');
  const now = await seatOfStudy(value, { message });
  if (now) {
    $('progress').textContent = `${now.practice ? 'practice' : `task ${now.task} of ${now.tasks}`}${now.tries > 1 ? `, try ${now.try} of ${now.tries}` : ''}`;
    $('study').textContent = `${now.title} ·`;
    about = [
      now.practice ? 'This is practice.' : `This is task ${now.task} of ${now.tasks}${now.try > 1 ? `, try ${now.try}` : ''}.`,
      now.seconds_left ? `You have ${minutes(now.seconds_left)} minutes.` : '',
    ].filter(Boolean).join(' ');
    $('markbutton').hidden = !now.marks;
    $('markbutton').addEventListener('click', () => mark(value, now.step));
    watch = () => watchTime(value, now.seconds_left, (text) => { $('time').textContent = finished ? '' : text; });
  }
  return now?.seat;
}

// Has a participant of a study mark the task, which ends it.
function mark(token, step) {
  $('marking').returnValue = '';
  $('marking').onclose = async () => {
    if (!$('marking').returnValue) return;
    try {
      await askJson('/study', token, { step, answers: { mark: $('marking').returnValue } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the game has ended meanwhile
    }
    location.reload();
  };
  $('marking').showModal();
}

async function begin() {
  document.addEventListener('keydown', onKey);
  $('plan').addEventListener('click', () => plan($('plan').getAttribute('aria-pressed') !== 'true'));
  $('turnleft').addEventListener('click', () => house?.turn(20));
  $('turnright').addEventListener('click', () => house?.turn(-20));
  $('helpbutton').addEventListener('click', help);
  setInterval(() => { if (seat?.others.some((other) => other.thinking !== null)) showPartners(seat); }, 1000);
  $('writing').addEventListener('submit', write);
  $('view').addEventListener('pointermove', () => { $('cross').hidden = true; });
  addEventListener('hashchange', () => location.reload());
  const fragment = location.hash.slice(1);
  if (!fragment) {
    message('Open your link', 'You have been sent a personal link, which is longer than this address. Open that link.');
    status('', '');
    return;
  }
  try {
    token = await seatOf(fragment);
    if (!token) return;
    const now = await askJson('/seat?here=false', token); // the game must not start before the player has read the task
    const begun = `homebody begun ${token}`; // in this tab
    if (now.scene) import('./house.js'); // preload
    if (now.ending === null && !sessionStorage.getItem(begun)) {
      introduce(now);
      status('', '');
      await help();
      sessionStorage.setItem(begun, 'yes');
    }
    $('helpbutton').hidden = false;
    started = true;
    watch();
  } catch (error) {
    if (!(error instanceof NotThere)) throw error;
    gone();
    return;
  }
  live(token, {
    seat: show,
    lost: () => status('The connection is lost; reconnecting …', 'lost'),
    back: () => {},
    gone,
  });
}

function gone() {
  sessionStorage.removeItem(location.hash);
  status('', '');
  message('This link is not valid', 'The game has been removed, or the link is incomplete. Ask the person who sent it.');
}

begin();
