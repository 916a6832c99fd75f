// What houses are made of on both pages: a surface is as bright as the way it faces has it, which is reckoned at its corners.
// Pixels cost nothing but their colour: processors without a graphics card draw twice as many pictures a second as with the
// materials of three.js, which reckon light for each pixel.

import { Color, DoubleSide, ShaderMaterial } from './three.min.js';

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
      seen *= 0.64 + 0.16 * (0.5 + 0.5 * facing.z) + 0.26 * sun;
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
