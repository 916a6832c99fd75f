// Rendering of houses on both pages. Many computers in studies have no graphics card, and processors render pixels slowly. So light
// is computed at corners only, and edges are smoothed only when nothing moves.

import { Color, ColorManagement, DoubleSide, LinearSRGBColorSpace, ShaderMaterial, WebGLRenderer } from './three.min.js';

ColorManagement.enabled = false; // colours are sRGB
const REST = 200; // milliseconds without change before edges are smoothed; at least four times the time of a frame

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
    #ifdef GLTF // y is up, x is mirrored, and colours are linear
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

// Return a material. glass: transparent. shines: equally bright in every orientation. tint: a colour to mix in.
// gltf: for meshes of glTF files. cut: height in metres above which it is cut off (glTF only).
export function matte({ glass = false, shines = false, tint = null, gltf = false, cut = 0 } = {}) {
  return new ShaderMaterial({
    vertexShader: CORNERS,
    fragmentShader: PIXELS,
    uniforms: { tint: { value: new Color(tint ?? 0) }, tinted: { value: tint === null ? 0 : 0.45 }, opacity: { value: glass ? 0.35 : 1 } },
    defines: { ...(shines && { SHINES: '' }), ...(gltf && { GLTF: '' }), ...(cut && { CUT: cut.toFixed(3) }) },
    ...(glass && { transparent: true, side: DoubleSide, depthWrite: false }),
  });
}

function isDrawnByProcessor() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const named = gl?.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|software|basic render/i.test(named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : '');
}

// Return a renderer and draw(), which schedules a call of paint() after a change. With antialias, edges are always smooth.
// Throws if there is no WebGL.
export function drawing(canvas, paint, options = {}) {
  const slow = !options.antialias && isDrawnByProcessor();
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
