// The house in 3-D as the role knows it, through its eyes or as a plan from above. Drawn after each change.

import * as THREE from './three.min.js';
import { ask, askJson } from './connection.js';
import { drawing, matte } from './drawing.js';

const DEGREE = Math.PI / 180;
const AT_ONCE = 300; // meshes per request
const KINDS = [{}, { glass: true }, { shines: true }]; // opaque, transparent, shining
const MATERIALS = KINDS.map(matte);
const POINTED = KINDS.map((kind) => matte({ ...kind, tint: 0xffd75e }));

function geometry(buffer) {
  const counts = new Uint32Array(buffer.slice(0, 12));
  const total = counts[0] + counts[1] + counts[2];
  const made = new THREE.BufferGeometry();
  const part = (from, to) => buffer.slice(12 + from * total, 12 + to * total);
  made.setAttribute('position', new THREE.BufferAttribute(new Float32Array(part(0, 12)), 3));
  made.setAttribute('normal', new THREE.BufferAttribute(new Int8Array(part(12, 16)), 4, true));
  made.setAttribute('color', new THREE.BufferAttribute(new Uint8Array(part(16, 20)), 4, true));
  let start = 0;
  counts.forEach((count, material) => {
    if (count) made.addGroup(start, count, material);
    start += count;
  });
  return made;
}

// The role on the plan, as an arrow in the direction of its view.
function arrow() {
  const made = new THREE.BufferGeometry();
  const corners = new Float32Array([0, 0.6, 0, -0.4, -0.4, 0, 0, -0.15, 0, 0, 0.6, 0, 0, -0.15, 0, 0.4, -0.4, 0]);
  made.setAttribute('position', new THREE.BufferAttribute(corners, 3));
  return made;
}

export class House {
  // on.point(name, solid) when something is pointed at (null: nothing), on.choose(name, solid, x, y) when chosen
  // of: the partner whose view this is; things in it cannot be chosen
  constructor(canvas, token, on, of = '') {
    Object.assign(this, { canvas, token, on, of });
    this.meshes = new Map();
    this.shown = new Map(); // name -> THREE.Mesh
    this.revision = -1;
    this.held = []; // what the role has in its hands
    this.look = { yaw: 0, pitch: 0 };
    this.planned = false;
    const { renderer, draw } = drawing(canvas, () => this.paint());
    Object.assign(this, { renderer, draw });
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(0xcfe0ee);
    this.camera = new THREE.PerspectiveCamera(60, 1, 0.03, 60);
    this.camera.up.set(0, 0, 1);
    this.above = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.1, 100);
    this.above.up.set(0, 1, 0);
    this.caster = new THREE.Raycaster();
    this.me = new THREE.Mesh(arrow(), new THREE.MeshBasicMaterial({ color: 0xd62d20 }));
    this.scene.add(this.me);
    if (!of) this.watchHands();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  async update(revision) {
    if (revision === this.revision || this.updating) return;
    this.updating = true;
    try {
      const known = await askJson(`/seat/scene?since=${this.revision}&of=${encodeURIComponent(this.of)}`, this.token);
      if (known.eye) await this.take(known);
    } finally {
      this.updating = false;
    }
  }

  async take(known) {
    const solids = [...known.shell, ...known.things, ...known.agents];
    const missing = [...new Set(solids.map((solid) => solid.mesh))].filter((name) => !this.meshes.has(name));
    for (let at = 0; at < missing.length; at += AT_ONCE) await this.fetch(missing.slice(at, at + AT_ONCE));
    const first = this.revision < 0;
    this.revision = known.revision;
    const names = new Set();
    const isHeld = (solid) => solid.relation === 'held' && solid.holder === this.on.role();
    this.held = solids.filter(isHeld).map((solid) => solid.name);
    for (const solid of solids) {
      if (isHeld(solid)) continue;
      names.add(solid.name);
      this.show(solid, first);
    }
    for (const [name, mesh] of this.shown) {
      if (names.has(name)) continue;
      this.scene.remove(mesh);
      this.shown.delete(name);
    }
    this.goTo(known.eye, first);
    this.fov = known.eye.fov;
    this.resize();
  }

  async fetch(names) {
    const data = await (await ask('/seat/meshes', this.token, { names })).arrayBuffer();
    const numbers = new DataView(data);
    let at = 0;
    for (const name of names) {
      const size = numbers.getUint32(at, true);
      this.meshes.set(name, geometry(data.slice(at + 4, at + 4 + size)));
      at += 4 + size;
    }
  }

  show(solid, first) {
    let mesh = this.shown.get(solid.name);
    const shape = this.meshes.get(solid.mesh);
    if (!mesh) {
      mesh = new THREE.Mesh(shape, MATERIALS);
      this.shown.set(solid.name, mesh);
      this.scene.add(mesh);
      mesh.position.set(...solid.position);
    }
    mesh.geometry = shape;
    mesh.userData = solid;
    mesh.rotation.z = solid.yaw * DEGREE;
    if (solid.kind === 'agent' && !first) this.move(mesh.position, solid.position, 500);
    else mesh.position.set(...solid.position);
  }

  goTo(eye, first) {
    const turned = this.eye && (eye.yaw !== this.eye.yaw || eye.pitch !== this.eye.pitch);
    const walked = !this.eye || eye.position.some((x, at) => x !== this.eye.position[at]);
    this.eye = eye;
    if (walked || turned) this.look = this.lookAt(this.goal) ?? { yaw: eye.yaw, pitch: eye.pitch };
    if (walked || turned) this.goal = '';
    if (first) this.camera.position.set(...eye.position);
    else this.move(this.camera.position, eye.position, 500);
    this.draw();
  }

  // The direction from the eye to a thing; null if its place is unknown or the eye is inside it.
  lookAt(name) {
    const mesh = this.shown.get(name);
    if (!mesh || ['wall', 'ceiling', 'floor', 'opening'].includes(mesh.userData.kind)) return null;
    mesh.updateMatrixWorld();
    mesh.geometry.computeBoundingBox();
    const middle = mesh.localToWorld(mesh.geometry.boundingBox.getCenter(new THREE.Vector3()));
    const [dx, dy, dz] = [0, 1, 2].map((axis) => middle.getComponent(axis) - this.eye.position[axis]);
    const away = Math.hypot(dx, dy);
    if (away < 0.05) return null;
    return { yaw: Math.atan2(-dx, dy) / DEGREE, pitch: Math.max(-60, Math.min(40, Math.atan2(dz, away) / DEGREE)) };
  }

  // Points at the thing in the middle of the view.
  aimAtMiddle() {
    this.camera.updateMatrixWorld();
    const box = this.canvas.getBoundingClientRect();
    this.point(this.at({ clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }));
  }

  move(vector, to, ms) {
    const from = vector.clone();
    const end = new THREE.Vector3(...to);
    if (from.distanceTo(end) < 1e-3) return;
    const begun = performance.now();
    const step = () => {
      const share = Math.min(1, (performance.now() - begun) / ms);
      vector.lerpVectors(from, end, share * (2 - share));
      this.draw();
      if (share < 1) requestAnimationFrame(step);
    };
    step();
  }

  plan(on) {
    this.planned = on;
    this.draw();
  }

  turn(yaw, pitch = 0) {
    this.look.yaw += yaw;
    this.look.pitch = Math.max(-80, Math.min(80, this.look.pitch + pitch));
    this.draw();
  }

  // A known thing by name, or null.
  solid(name) {
    return this.shown.get(name)?.userData ?? null;
  }

  paint() {
    if (!this.eye) return;
    for (const mesh of this.shown.values()) {
      if (mesh.userData.kind === 'ceiling') mesh.visible = !this.planned;
    }
    this.me.visible = this.planned;
    this.me.position.set(this.camera.position.x, this.camera.position.y, 4);
    this.me.rotation.z = this.look.yaw * DEGREE;
    const camera = this.aim();
    this.renderer.render(this.scene, camera);
    this.label(camera);
    this.frames = (this.frames ?? 0) + 1;
  }

  // The names of rooms and other players, on the plan.
  label(camera) {
    const named = [...this.shown.values()].filter((mesh) => ['floor', 'agent'].includes(mesh.userData.kind));
    this.on.label(!this.planned ? [] : named.map((mesh) => {
      const at = new THREE.Vector3();
      if (mesh.userData.kind === 'agent') at.copy(mesh.position);
      else mesh.geometry.boundingBox.getCenter(at);
      at.project(camera);
      const { clientWidth: width, clientHeight: height } = this.canvas;
      const text = mesh.userData.kind === 'agent' ? mesh.userData.name : mesh.userData.room;
      return { text, x: (at.x + 1) / 2 * width, y: (1 - at.y) / 2 * height };
    }));
  }

  aim() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.planned) {
      const low = [Infinity, Infinity];
      const high = [-Infinity, -Infinity];
      for (const mesh of this.shown.values()) {
        if (mesh.userData.kind !== 'floor') continue;
        mesh.geometry.computeBoundingBox();
        const { min, max } = mesh.geometry.boundingBox;
        low[0] = Math.min(low[0], min.x); low[1] = Math.min(low[1], min.y);
        high[0] = Math.max(high[0], max.x); high[1] = Math.max(high[1], max.y);
      }
      const half = Math.max((high[1] - low[1]) / 2 + 0.5, ((high[0] - low[0]) / 2 + 0.5) * height / width);
      Object.assign(this.above, { top: half, bottom: -half, left: -half * width / height, right: half * width / height });
      const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
      this.above.position.set(...middle, 30);
      this.above.lookAt(...middle, 0);
      this.above.updateProjectionMatrix();
      return this.above;
    }
    const yaw = this.look.yaw * DEGREE;
    const pitch = this.look.pitch * DEGREE;
    const ahead = new THREE.Vector3(-Math.sin(yaw) * Math.cos(pitch), Math.cos(yaw) * Math.cos(pitch), Math.sin(pitch));
    this.camera.lookAt(ahead.add(this.camera.position));
    return this.camera;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    const fov = (this.fov ?? 79) * DEGREE;
    this.camera.fov = 2 * Math.atan(Math.tan(fov / 2) / Math.max(1, width / height)) / DEGREE;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    const camera = this.aim();
    camera.updateMatrixWorld();
    this.caster.setFromCamera(new THREE.Vector2(x, y), camera);
    const seen = [...this.shown.values()].filter((mesh) => mesh.visible);
    return this.caster.intersectObjects(seen, false)[0]?.object ?? null;
  }

  point(mesh) {
    if (mesh === this.pointed) return;
    if (this.pointed) this.pointed.material = MATERIALS;
    this.pointed = mesh && !['wall', 'ceiling', 'floor', 'opening'].includes(mesh.userData.kind) ? mesh : null;
    if (this.pointed) this.pointed.material = POINTED;
    this.on.point(mesh ? mesh.userData : null);
    this.draw();
  }

  watchHands() {
    let from = null;
    let dragged = 0;
    const canvas = this.canvas;
    canvas.addEventListener('pointerdown', (event) => {
      from = event;
      dragged = 0;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (from) {
        const [dx, dy] = [event.clientX - from.clientX, event.clientY - from.clientY];
        dragged += Math.abs(dx) + Math.abs(dy);
        if (dragged > 6 && !this.planned) this.turn(dx * 0.18, dy * 0.18);
        from = event;
      } else if (!this.looking) {
        this.looking = true;
        setTimeout(() => {
          this.looking = false;
          this.point(this.at(event));
        }, 60);
      }
    });
    canvas.addEventListener('pointerup', () => { from = null; });
    canvas.addEventListener('click', (event) => { // not on pointerdown: the finger would tap on the opened menu
      if (dragged > 6) return;
      const mesh = this.at(event);
      this.point(mesh);
      this.on.choose(mesh ? mesh.userData : null, event.offsetX, event.offsetY);
    });
    canvas.addEventListener('pointercancel', () => { from = null; });
    canvas.addEventListener('dblclick', (event) => {
      const mesh = this.at(event);
      if (mesh) this.on.go(mesh.userData);
    });
  }
}
