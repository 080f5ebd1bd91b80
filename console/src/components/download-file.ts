/** Lets the browser download a file that was created in the page. */
export function downloadFile(fileName: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
