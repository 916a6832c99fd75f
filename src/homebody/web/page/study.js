// A participant of a study: consent, instructions, questions, tasks, and the code at the end. The server stores the next
// step, so the page can be reloaded at any time.

import { askJson, Refused } from './connection.js';

const element = (kind, text, className = '') => Object.assign(document.createElement(kind), { textContent: text, className });

// A subset of Markdown: headings, lists, paragraphs, **strong** and *emphasis*.
export function markdown(text) {
  const whole = document.createElement('div');
  for (const block of text.trim().split(/\n\s*\n/)) {
    const lines = block.split('\n');
    const heading = /^(#{1,3})\s+(.*)$/.exec(lines[0]);
    if (heading) {
      whole.append(inline(`h${heading[1].length + 1}`, heading[2]));
      lines.shift();
    }
    const items = lines.filter((line) => /^\s*[-*]\s+/.test(line));
    if (items.length && items.length === lines.length) {
      const list = document.createElement('ul');
      list.append(...items.map((line) => inline('li', line.replace(/^\s*[-*]\s+/, ''))));
      whole.append(list);
    } else if (lines.join('').trim()) {
      whole.append(inline('p', lines.join(' ')));
    }
  }
  return whole;
}

function inline(kind, text) {
  const made = document.createElement(kind);
  for (const part of text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/)) {
    if (part.startsWith('**')) made.append(element('strong', part.slice(2, -2)));
    else if (part.startsWith('*') && part.length > 2) made.append(element('em', part.slice(1, -1)));
    else made.append(part);
  }
  return made;
}

function ask(question) {
  const field = document.createElement('fieldset');
  field.append(element('legend', question.text + (question.optional ? ' (optional)' : '')));
  if (question.kind === 'text') {
    const area = document.createElement('textarea');
    Object.assign(area, { name: question.name, rows: 3, maxLength: 4000, required: !question.optional });
    area.setAttribute('aria-label', question.text);
    field.append(area);
    return field;
  }
  const values = question.kind === 'rating' ? Array.from({ length: question.points }, (_, at) => String(at + 1)) : question.choices;
  const row = element('div', '', question.kind);
  if (question.kind === 'rating') row.style.gridTemplateColumns = `repeat(${values.length}, minmax(0, 4rem))`;
  if (question.low) row.append(element('span', question.low, 'end'));
  for (const value of values) {
    const label = document.createElement('label');
    const input = Object.assign(document.createElement('input'), { type: 'radio', name: question.name, value, required: !question.optional });
    label.append(input, element('span', value));
    row.append(label);
  }
  if (question.high) row.append(element('span', question.high, 'end high'));
  field.append(row);
  return field;
}

function form(questions, button, done) {
  const made = document.createElement('form');
  made.append(...questions.map(ask));
  const problem = element('p', '', 'failure');
  problem.setAttribute('role', 'alert');
  const submit = element('button', button);
  made.append(problem, submit);
  made.addEventListener('submit', async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const given = new FormData(made);
    const answers = {};
    for (const question of questions) {
      const value = given.get(question.name);
      if (value === null || value === '') continue;
      answers[question.name] = question.kind === 'rating' ? Number(value) : value;
    }
    try {
      await done(answers);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.textContent = error.message;
      submit.disabled = false;
    }
  });
  return made;
}

function copier(text) {
  const button = element('button', 'Copy');
  button.type = 'button';
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(text);
    button.textContent = navigator.clipboard ? 'Copied' : 'Select and copy it';
  });
  return button;
}

// Goes through the steps of a study until there is a task to play; page.message(title, ...nodes) shows texts.
export async function seatOfStudy(token, page) {
  let now = await askJson('/study', token);
  for (;;) {
    if (now.seat) return now;
    if (now.waiting) {
      page.message(now.title, `${now.practice ? 'Practice' : `Task ${now.task} of ${now.tasks}`}: waiting for the other player. Keep this page open; the task starts by itself.`);
      await new Promise((again) => setTimeout(again, 1500));
      now = await askJson('/study', token);
      continue;
    }
    if (now.step === 'done') {
      const code = element('p', now.code, 'code');
      page.message(now.title, ...(now.note ? [element('p', now.note, 'failure')] : []), markdown(now.text || 'That is all. Thank you!'), element('p', 'Your completion code:'), code, copier(now.code));
      return null;
    }
    const button = { consent: 'I agree', instructions: 'Begin' }[now.step] ?? 'Continue';
    const { step } = now;
    now = await new Promise((next) => {
      const text = [...(now.note ? [element('p', now.note, 'failure')] : []), ...(now.text ? [markdown(now.text)] : [])];
      const asked = form(now.questions ?? [], button, async (answers) => next(await askJson('/study', token, { step, answers })));
      page.message(now.title, ...text, asked);
    });
  }
}

// Shows the time left, which the server counts from when all have joined, and asks the server when it is over.
export function watchTime(token, seconds, show) {
  if (seconds === null || seconds === undefined) return;
  let end = performance.now() + 1000 * seconds;
  let asked = performance.now();
  const timer = setInterval(() => {
    const left = Math.max(0, Math.round((end - performance.now()) / 1000));
    show(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`);
    if (performance.now() - asked > (left ? 15000 : 1000)) {
      asked = performance.now();
      askJson('/study', token).then((now) => {
        if (now.seconds_left) end = performance.now() + 1000 * now.seconds_left;
      }).catch(() => clearInterval(timer));
    }
  }, 500);
}
