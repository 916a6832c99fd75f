// A house in 3-D in which agents act: seen from above, from behind an agent, or through its eyes. Rendered after changes only.

import { drawing, matte } from './drawing.js';
import { Box3, BufferAttribute, BufferGeometry, GLTFLoader, Line, LineBasicMaterial, OrbitControls, PerspectiveCamera, Scene, Vector3 } from './three.min.js';

const DEGREE = Math.PI / 180;
const CUT = 1.25; // height in metres at which walls are cut in the view from above
const TONES = [0xd0402f, 0x2a62c9, 0x2c8a4b, 0x8a4bb0];
const UP = new Vector3(0, 1, 0);

const place = ([x, y, z]) => [-x, z, y]; // from homebody's frame to that of glTF

// Return the index of the last entry at or before a time, in a list sorted by its first number.
function last(list, time) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle][0] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Return the pose on a path at a time: x, y, yaw and pitch.
export function along(path, time) {
  const at = last(path, time);
  const [now, next] = [path[Math.max(at, 0)], path[Math.max(at, 0) + 1]];
  if (at < 0 || !next) return now.slice(1);
  const share = (time - now[0]) / (next[0] - now[0]);
  const turn = ((next[3] - now[3] + 540) % 360 + 360) % 360 - 180;
  return [now[1] + share * (next[1] - now[1]), now[2] + share * (next[2] - now[2]), now[3] + share * turn, now[4]];
}

// Show a film in an element. If several files have the same look of an object, the last one counts. Throws if there is no WebGL, or
// a file cannot be read.
export async function mountHouse(element, film, files) {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'The house in 3-D. A and D turn it, W and S tilt it, plus and minus zoom in and out. The list of steps describes the events.');
  const labels = document.createElement('div');
  labels.className = 'labels';
  labels.setAttribute('aria-hidden', 'true');
  const { renderer, draw } = drawing(canvas, paint, { alpha: true, antialias: true });
  const loaded = await Promise.all(files.map((glb) => new GLTFLoader().parseAsync(glb, '')));
  const wanted = (options) => matte({ gltf: true, ...options });
  const materials = { opaque: wanted(), glass: wanted({ glass: true }), cut: wanted({ cut: CUT }), cutGlass: wanted({ glass: true, cut: CUT }), marked: wanted({ tint: 0xffb300 }) };
  const scene = new Scene();
  const camera = new PerspectiveCamera(50, 1, 0.05, 200);
  const nodes = new Map(); // name -> its looks, by number
  for (const node of loaded.flatMap((file) => [...file.scene.children])) {
    const { name, look } = node.userData;
    if (!nodes.has(name)) nodes.set(name, []);
    nodes.get(name)[look]?.removeFromParent();
    nodes.get(name)[look] = node;
    node.traverse((mesh) => { if (mesh.isMesh) mesh.userData.glass = mesh.material.transparent; });
    scene.add(node);
  }
  const roles = Object.keys(film.paths);
  const trails = roles.map((role, number) => {
    const path = film.paths[role];
    const points = new BufferGeometry();
    points.setAttribute('position', new BufferAttribute(new Float32Array(path.flatMap(([, x, y]) => place([x, y, 0.03 + 0.01 * number]))), 3));
    const line = new Line(points, new LineBasicMaterial({ color: TONES[number % TONES.length] }));
    line.frustumCulled = false;
    scene.add(line);
    return line;
  });
  const named = [...film.rooms.map(([text, x, y]) => ({ text, at: () => [x, y, 0.1] })),
    ...roles.map((role) => ({ text: role, role, at: () => { const [x, y] = along(film.paths[role], clock); return [x, y, film.agents[role] + 0.25]; } }))];
  for (const label of named) {
    label.shown = document.createElement('span');
    label.shown.textContent = label.text;
    if (label.role) label.shown.className = 'role';
    labels.append(label.shown);
  }
  const histories = new Map(Object.entries(film.first).map(([name, first]) => [name, [[-1, ...first]]]));
  for (const [time, name, ...now] of film.changes) histories.get(name).push([time, ...now]);
  element.replaceChildren(canvas, labels);
  const controls = new OrbitControls(camera, canvas);
  controls.maxPolarAngle = 85 * DEGREE;
  controls.minDistance = 1;
  controls.maxDistance = 60;
  controls.addEventListener('change', draw);
  let clock = 0;
  let view = { kind: 'above', role: '' };
  let marked = [];
  overview();
  for (const [name, looks] of nodes) if (!histories.has(name)) looks.forEach((node, look) => { node.visible = look === 0; });

  function overview() {
    const box = new Box3();
    for (const looks of nodes.values()) if (looks[0]?.userData.kind === 'floor') box.expandByObject(looks[0]);
    const [middle, size] = [box.getCenter(new Vector3()), box.getSize(new Vector3())];
    const wide = element.clientWidth / Math.max(1, element.clientHeight);
    const away = Math.max(size.z + 1, (size.x + 1) / wide) * 0.92 + 1;
    controls.target.copy(middle);
    camera.position.set(middle.x, away, middle.z - away * 0.55);
    controls.update();
  }

  function material(mesh, name) {
    if (marked.includes(name) && !mesh.userData.glass) return materials.marked;
    const isWall = nodes.get(name)[0].userData.kind === 'structure' || ['door', 'doorway', 'window'].includes(nodes.get(name)[0].userData.kind);
    if (isWall && view.kind !== 'eyes') return mesh.userData.glass ? materials.cutGlass : materials.cut;
    return mesh.userData.glass ? materials.glass : materials.opaque;
  }

  // Set materials and visibility for the view and the marks.
  function dress() {
    for (const [name, looks] of nodes) {
      for (const node of looks) node?.traverse((mesh) => { if (mesh.isMesh) mesh.material = material(mesh, name); });
      if (name.startsWith('ceiling_')) looks[0].visible = view.kind === 'eyes';
    }
    controls.enabled = view.kind !== 'eyes';
    labels.hidden = view.kind === 'eyes';
    trails.forEach((trail) => { trail.visible = view.kind !== 'eyes'; });
  }

  // Return the look of something now, its pose, and the role that holds it.
  function now(name) {
    const history = histories.get(name);
    return history ? history[last(history, clock)].slice(1) : [0];
  }

  function put() {
    for (const [number, role] of roles.entries()) {
      const [x, y, yaw] = along(film.paths[role], clock);
      const [look] = now(role);
      for (const [at, node] of nodes.get(role).entries()) {
        if (!node) continue;
        node.visible = at === look && !(view.kind === 'eyes' && view.role === role);
        node.position.set(...place([x, y, 0]));
        node.rotation.set(0, yaw * DEGREE, 0);
      }
      trails[number].geometry.setDrawRange(0, last(film.paths[role], clock) + 1);
    }
    for (const name of histories.keys()) {
      if (roles.includes(name)) continue;
      const [look, x, y, z, yaw, bearer] = now(name);
      for (const [number, node] of (nodes.get(name) ?? []).entries()) {
        if (!node) continue;
        node.visible = number === look && !(view.kind === 'eyes' && view.role === bearer);
        const parent = bearer ? nodes.get(bearer)[now(bearer)[0]] : scene;
        if (node.parent !== parent) parent.add(node);
        node.position.set(...place([x, y, z]));
        node.rotation.set(0, yaw * DEGREE, 0);
      }
    }
    if (!view.role) return;
    const [x, y, yaw, pitch] = along(film.paths[view.role], clock);
    if (view.kind === 'eyes') {
      camera.position.set(...place([x, y, film.agents[view.role]]));
      const [turn, tilt] = [yaw * DEGREE, pitch * DEGREE];
      const ahead = place([-Math.sin(turn) * Math.cos(tilt), Math.cos(turn) * Math.cos(tilt), Math.sin(tilt)]);
      camera.lookAt(camera.position.clone().add(new Vector3(...ahead)));
    } else {
      const moved = new Vector3(...place([x, y, 0.8])).sub(controls.target);
      controls.target.add(moved);
      camera.position.add(moved);
    }
  }

  function resize() {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.fov = view.kind === 'eyes' ? 70 : 50;
    camera.updateProjectionMatrix();
    draw();
  }

  function paint() {
    if (!canvas.isConnected) return;
    renderer.render(scene, camera);
    if (labels.hidden) return;
    const { clientWidth: width, clientHeight: height } = element;
    for (const { at, shown } of named) {
      const seen = new Vector3(...place(at())).project(camera);
      shown.hidden = Math.abs(seen.x) > 1 || Math.abs(seen.y) > 1 || seen.z > 1;
      shown.style.transform = `translate(-50%, -50%) translate(${((seen.x + 1) * width) / 2}px, ${((1 - seen.y) * height) / 2}px)`;
    }
  }

  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || view.kind === 'eyes') return;
    const away = camera.position.clone().sub(controls.target);
    const side = new Vector3().crossVectors(UP, away).normalize();
    if (event.key === 'a' || event.key === 'd') away.applyAxisAngle(UP, event.key === 'a' ? -0.15 : 0.15);
    else if (event.key === 'w' || event.key === 's') away.applyAxisAngle(side, event.key === 'w' ? -0.1 : 0.1);
    else if (event.key === '+' || event.key === '-') away.multiplyScalar(event.key === '+' ? 0.87 : 1.15);
    else return;
    event.preventDefault();
    camera.position.copy(controls.target).add(away);
    controls.update();
    draw();
  });
  const watched = new ResizeObserver(resize);
  watched.observe(element);
  addEventListener('hashchange', function gone() {
    if (canvas.isConnected) return;
    removeEventListener('hashchange', gone);
    watched.disconnect();
    renderer.dispose();
  });
  dress();
  put();
  resize();

  return {
    scene,
    nodes,
    // Show a moment, with some objects marked by name.
    show(time, names) {
      clock = time;
      if (names.join() !== marked.join()) {
        marked = names;
        dress();
      }
      put();
      draw();
    },
    // Set the view: 'above', or 'follow' or 'eyes' of a role.
    look(kind, role = '') {
      view = { kind, role };
      dress();
      if (kind === 'above') overview();
      if (kind === 'follow') {
        const [x, y] = along(film.paths[role], clock);
        controls.target.set(...place([x, y, 0.8]));
        camera.position.set(...place([x, y - 3.2, 4.2]));
      }
      if (kind !== 'eyes') controls.update();
      put();
      resize();
    },
  };
}
