import { toast } from '@/app/_ui/base/toast'
import { createLink, deleteLink } from '@/app/_ui/data/api'
import { copyText, randomId } from '@/app/_ui/data/browser'
import { announceNewLink } from '@/app/_ui/data/new-links'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { completeAddress } from '@/lib/forms/fields'
import type { Translator } from '@/lib/i18n/translate'
import { parseDestination } from '@/lib/links/destination'

/** The destination that a text is, or null: words are none. */
export function addressIn(text: string): string | null {
  const destination = parseDestination(completeAddress(text.trim()))
  return destination.ok ? destination.href : null
}

/** What is on the clipboard; null where the browser, or who sits before it, says no. */
export async function clipboardText(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText()
  } catch {
    return null
  }
}

/** Creates a link with nothing but a destination and copies it; says so in a toast, with the way back. */
export async function quickCreate(url: string, t: Translator<'commands'>): Promise<void> {
  const result = await createLink({ url }, randomId())
  if (!result.ok) {
    toast(t('create.failed'), { description: result.failure.message })
    return
  }
  const link = result.value
  announceNewLink()
  const copied = await copyText(link.shortUrl)
  const undo = async () => {
    const undone = await deleteLink({ code: link.code, domain: link.domain, manageToken: null })
    announceNewLink()
    toast(undone.ok ? t('create.undone') : t('create.undoFailed'), undone.ok ? {} : { description: undone.failure.message })
  }
  toast(t(copied ? 'create.copied' : 'create.done', { link: readableUrl(link.shortUrl) }), {
    action: { label: t('create.undo'), onClick: () => void undo() },
  })
}
