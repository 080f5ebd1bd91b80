/** Every word that the element shows or that a screen reader speaks; a page may replace any of them. */
export const english = {
  title: "Voice agent",
  talk: "Start talking",
  starting: "Starting…",
  mute: "Mute",
  end: "End",
  send: "Send",
  message: "Message",
  conversation: "Conversation",
  user: "You",
  ready: "Ready",
  connecting: "Connecting…",
  reconnecting: "The connection is lost. Trying again…",
  listening: "Listening",
  thinking: "Thinking…",
  speaking: "Speaking",
  connected: "Connected",
  ended: "The conversation has ended",
};

export type Labels = typeof english;
