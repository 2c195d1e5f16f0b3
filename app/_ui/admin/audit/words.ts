/** `link.ban` as a person says it: what it is about, and what was done. */
export function actionName(action: string): string {
  const words = action.replace(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
