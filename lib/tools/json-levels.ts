/** Levels of lists and objects in JSON from outside: more than any has use for, and few enough for whatever goes down them. */
export const MOST_LEVELS = 64

/** How deep lists and objects lie in each other; of a text that is no JSON, anything. */
export function levelsOf(json: string): number {
  let [level, most, inText] = [0, 0, false]
  for (let i = 0; i < json.length; i++) {
    const character = json[i]
    if (inText && character === '\\') i++
    else if (character === '"') inText = !inText
    else if (inText) continue
    else if (character === '[' || character === '{') most = Math.max(most, ++level)
    else if (character === ']' || character === '}') level--
  }
  return most
}
