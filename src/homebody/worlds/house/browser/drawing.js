// How houses are drawn on both pages. Many computers of studies have no graphics card: their processors draw pixels slowly, so
// that light is reckoned at corners alone, and edges are smooth only when all is at rest.

import { Color, ColorManagement, DoubleSide, LinearSRGBColorSpace, ShaderMaterial, WebGLRenderer } from './three.min.js';

ColorManagement.enabled = false; // colours are those of screens
const REST = 200; // milliseconds without change after which all is at rest, or four times what a picture takes

const CORNERS = `
  attribute vec3 color;
  uniform vec3 tint;
  uniform float tinted;
  varying vec3 seen;
  #ifdef CUT
    varying float height;
  #endif
  void main() {
    vec4 there = modelMatrix * vec4(position, 1.0);
    vec3 facing = normalize(mat3(modelMatrix) * normal);
    seen = color;
    #ifdef GLTF // has y up and x the other way, and colours in proportion to light
      facing = vec3(-facing.x, facing.z, facing.y);
      seen = mix(12.92 * seen, 1.055 * pow(seen, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, seen));
    #endif
    #ifndef SHINES
      float sun = 0.5 + 0.5 * dot(facing, vec3(0.31, -0.54, 0.78));
      seen *= 0.6 + 0.15 * (0.5 + 0.5 * facing.z) + 0.26 * sun;
    #endif
    seen = mix(seen, tint, tinted);
    #ifdef CUT
      height = there.y;
    #endif
    gl_Position = projectionMatrix * viewMatrix * there;
  }
`;
const PIXELS = `
  uniform float opacity;
  varying vec3 seen;
  #ifdef CUT
    varying float height;
  #endif
  void main() {
    #ifdef CUT
      if (height > CUT) discard;
    #endif
    gl_FragColor = vec4(seen, opacity);
  }
`;

// A material. glass: one sees through it. shines: it is as bright whichever way it faces. tint: a colour that it is mixed with.
// gltf: its mesh is of a glTF file. cut: metres above which nothing of it is there (of glTF).
export function matte({ glass = false, shines = false, tint = null, gltf = false, cut = 0 } = {}) {
  return new ShaderMaterial({
    vertexShader: CORNERS,
    fragmentShader: PIXELS,
    uniforms: { tint: { value: new Color(tint ?? 0) }, tinted: { value: tint === null ? 0 : 0.45 }, opacity: { value: glass ? 0.35 : 1 } },
    defines: { ...(shines && { SHINES: '' }), ...(gltf && { GLTF: '' }), ...(cut && { CUT: cut.toFixed(3) }) },
    ...(glass && { transparent: true, side: DoubleSide, depthWrite: false }),
  });
}

function drawnByProcessor() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const named = gl?.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|software|basic render/i.test(named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : '');
}

// A renderer, and what has paint() be called soon: when something has changed. With antialias edges are always smooth. Raises if
// there is no WebGL.
export function drawing(canvas, paint, options = {}) {
  const slow = !options.antialias && drawnByProcessor();
  const renderer = new WebGLRenderer({ canvas, antialias: !slow, powerPreference: 'low-power', ...options });
  renderer.outputColorSpace = LinearSRGBColorSpace;
  let pending = false;
  let resting = 0;
  const paintFine = (fineness) => {
    if (renderer.getPixelRatio() !== fineness) renderer.setPixelRatio(fineness);
    paint();
  };
  const draw = () => {
    if (pending) return;
    pending = true;
    const asked = performance.now();
    requestAnimationFrame(() => {
      pending = false;
      clearTimeout(resting);
      paintFine(slow ? 1 : Math.min(devicePixelRatio, 1.5));
      if (slow) resting = setTimeout(paintFine, Math.max(REST, 4 * (performance.now() - asked)), 2);
    });
  };
  return { renderer, draw };
}
