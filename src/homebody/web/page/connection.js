// The connection to the server: live observations and actions. It reconnects by itself, and repeats a request under the
// same id until there is a reply, so that nothing is lost or done twice.

const API = '/api/v1';
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export class NotThere extends Error {}

export class Refused extends Error {
  constructor({ error, advice }) {
    super(advice ? `${error}: ${advice}` : error);
  }
}

export async function ask(path, token, body) {
  const options = { headers: { Authorization: `Bearer ${token}` } };
  if (body !== undefined) {
    options.method = 'POST';
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(body);
  }
  for (let pause = 300; ; pause = Math.min(2 * pause, 5000)) {
    let answer;
    try {
      answer = await fetch(API + path, options);
    } catch {
      await wait(pause); // the server cannot be reached: retry
      continue;
    }
    if (answer.status === 429 || answer.status >= 500) {
      await wait(pause);
      continue;
    }
    if (answer.status === 404) throw new NotThere();
    if (!answer.ok) throw new Refused(await answer.json());
    return answer;
  }
}

export const askJson = async (path, token, body) => (await ask(path, token, body)).json();

export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (x) => x.toString(16).padStart(2, '0')).join('');
}

// Calls on.seat(seat) whenever it has changed, on.lost() and on.back() when the connection fails and returns, and
// on.gone() if there is no such game.
export function live(token, on) {
  let revision = -1;
  let pause = 300;
  let closed = false;
  const open = () => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${API}/seat/live`);
    socket.onopen = () => socket.send(JSON.stringify({ token, since: -1 }));
    socket.onmessage = (event) => {
      const { seat } = JSON.parse(event.data);
      if (!seat) return;
      pause = 300;
      on.back();
      revision = seat.revision;
      on.seat(seat);
    };
    socket.onclose = (event) => {
      if (closed) return;
      if (event.code === 4404) {
        on.gone();
        return;
      }
      on.lost();
      setTimeout(open, pause);
      pause = Math.min(2 * pause, 5000);
    };
  };
  open();
  return { get revision() { return revision; }, close() { closed = true; } };
}
