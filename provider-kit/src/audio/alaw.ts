/** G.711 A-law, used by telephones outside North America and Japan. ITU-T G.711 tables 1a and 1b, scaled from 13 to 16 bits. */

const decodeTable = Int16Array.from({ length: 256 }, (_, code) => {
  const toggled = code ^ 0x55;
  const exponent = (toggled >> 4) & 0x07;
  const mantissa = ((toggled & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return toggled & 0x80 ? magnitude : -magnitude;
});

export function decodeAlaw(bytes: Uint8Array): Int16Array {
  return Int16Array.from(bytes, (code) => decodeTable[code] ?? 0);
}
