import type { z } from 'zod'
import { asText, fromText, type Message, type MessageKey, type MessageValues, say } from '@/lib/i18n/message'

/** What zod finds wrong, as messages: what our schemas say by `issue`, and else by what zod itself found. */

/** What browsers are told too, who check what was typed before they send it. */
type FormsKey = Extract<MessageKey, `forms.${string}`>

/** What a schema says of a value: `line(100).min(1, issue('forms.name'))`. */
export const issue = (key: FormsKey, values?: MessageValues): string => asText(say(key, values))

/** How to parse what is checked for somebody: an issue can tell then what is missing from what is wrong. */
export const SHOWN: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true }

/** zod's own findings. */
function known(found: z.core.$ZodIssue): Message {
  switch (found.code) {
    case 'invalid_type':
      return found.input === undefined ? say('forms.field.required') : say('forms.field.type', { expected: found.expected })
    case 'too_big':
      return tooBig(found.origin, Number(found.maximum))
    case 'too_small':
      return tooSmall(found.origin, Number(found.minimum))
    case 'invalid_format':
      return say('forms.field.format', { format: found.format })
    case 'invalid_value':
      return found.input === undefined
        ? say('forms.field.required')
        : say('forms.field.choice', { choices: found.values.map(String).join(', ') })
    default:
      return say('forms.field.wrong')
  }
}

function tooBig(origin: string, most: number): Message {
  if (origin === 'string') return say('forms.field.tooLong', { most })
  return origin === 'array' ? say('forms.field.tooMany', { most }) : say('forms.field.tooLarge', { most })
}

function tooSmall(origin: string, least: number): Message {
  if (origin === 'string') return least === 1 ? say('forms.field.required') : say('forms.field.tooShort', { least })
  return origin === 'array' ? say('forms.field.tooFew', { least }) : say('forms.field.tooSmall', { least })
}

/** What is wrong, and where: one for each field that there is not. */
export function foundBy({ issues }: z.ZodError, most = Number.POSITIVE_INFINITY): { path: string; message: Message }[] {
  return issues
    .slice(0, most)
    .flatMap((one) =>
      one.code === 'unrecognized_keys'
        ? one.keys.slice(0, most).map((key) => ({ path: [...one.path, key].join('.'), message: say('forms.field.unknown') }))
        : [{ path: one.path.join('.'), message: fromText(one.message) ?? known(one) }],
    )
}
