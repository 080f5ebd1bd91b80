/**
 * Azure's high-definition voices (`en-US-Ava:DragonHDLatestNeural`) choose tone and pace from the text: they accept neither style nor
 * prosody and report no word times (Microsoft, "High definition voices", supported and unsupported SSML elements).
 */
export function isHighDefinition(voiceName: string): boolean {
  return voiceName.includes(":");
}
