/** The text of a socket's message. The socket delivers Node's buffers; any other array is wrapped in one. */
export function messageText(data: Uint8Array): string {
  return (Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength)).toString();
}
