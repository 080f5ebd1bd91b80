/**
 * Azure's voices of high definition (`en-US-Ava:DragonHDLatestNeural`) choose tone and pace from the text: they take neither style nor
 * prosody and have no times for words (Microsoft, "High definition voices", supported and unsupported SSML elements).
 */
export function isHighDefinition(voiceName: string): boolean {
  return voiceName.includes(":");
}
