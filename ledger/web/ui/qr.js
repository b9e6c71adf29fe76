/**
 * A link as a QR code, made on this machine: what stands behind # is never sent to the server.
 * @module
 */

import { encode } from '../vendor/uqr.module.js';
import { html } from './html.js';

/** Modules of white around it (ISO/IEC 18004). */
const QUIET = 4;

/** @param {{text: string, label: string}} props */
export function Qr({ text, label }) {
  const { size, data } = encode(text, { ecc: 'L', border: QUIET });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect class="light" width=${size} height=${size} /><path class="dark" d=${path} /></svg>`;
}
