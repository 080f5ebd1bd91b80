/** Hands the browser a file that was made in it. */
export function downloadText(fileName: string, text: string): void {
  download(fileName, new Blob([text], { type: "application/json" }));
}

function download(fileName: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
