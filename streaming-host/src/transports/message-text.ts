/** The text of a socket's message. The socket hands out Node's buffers; anything else is looked at as one. */
export function messageText(data: Uint8Array): string {
  return (Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength)).toString();
}
