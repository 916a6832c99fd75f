// The documents that are shown: in the page itself, or beside it. Paths are the same.

const kept = new Map();
const isWhole = document.documentElement.hasAttribute('data-whole'); // all is in the page

const element = (selector) => document.querySelector(selector);

async function unpacked(number) {
  const packed = element(`script[data-pack="${number}"]`).textContent;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

async function inPage(path) {
  const plain = element(`script[data-path="${CSS.escape(path)}"]`);
  if (plain) return JSON.parse(plain.textContent);
  const index = await load('index');
  if (!(path in index)) return null;
  const pack = await remembered(`pack ${index[path]}`, () => unpacked(index[path]));
  return pack[path];
}

async function fetched(path) {
  const answer = await fetch(path, { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

function remembered(name, make) {
  if (!kept.has(name)) {
    const made = make();
    kept.set(name, made);
    made.catch(() => kept.delete(name));
  }
  return kept.get(name);
}

// A document; null if the page was made without it.
export function load(path) {
  return remembered(path, () => (isWhole ? inPage(path) : fetched(path)));
}

export function forget(beginning) {
  for (const path of kept.keys()) if (path.startsWith(beginning)) kept.delete(path);
}

// Gives addresses of the files that a replay names.
export async function assets(folder) {
  if (!isWhole) return (file) => `${folder}/${encodeURIComponent(file)}`;
  const path = `${folder}.json`;
  const index = await load('index');
  const pack = path in index ? await remembered(`pack ${index[path]}`, () => unpacked(index[path])) : {};
  return (file) => pack[`${folder}/${file}`] ?? '';
}

// The bytes of a file that replays share. Its name says what is in it: a browser that has it need not ask again.
export async function scene(name) {
  const path = `data/scene/${name}`;
  const answer = await fetch(isWhole ? await inPage(path) : path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.arrayBuffer();
}
