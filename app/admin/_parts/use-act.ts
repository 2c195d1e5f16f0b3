import { useTranslations } from '#i18n'
import { toast } from '@/app/_ui/base/toast'
import type { Result } from '@/app/_ui/data/http'
import { reasonOf } from './reason-of'

interface Words {
  done: string
  failed: string
  /** The way back. */
  undo?: () => void
}

interface Next {
  /** It has been done. */
  onDone?: () => void
  undo?: () => void
}

interface Act {
  /** Says how something went. @returns whether it was done */
  act: (doing: Promise<Result<unknown>>, words: Words) => Promise<boolean>
  /** The same for a dialog, which says itself what went wrong. @returns that, or null */
  confirmed: (doing: Promise<Result<unknown>>, done: string, next?: Next) => Promise<string | null>
}

/** Does what an admin asks for, and says so in a toast, with the way back. */
export function useAct(): Act {
  const t = useTranslations('admin')
  const say = (done: string, undo?: () => void) => toast(done, undo && { action: { label: t('undo'), onClick: undo } })
  return {
    async act(doing, { done, failed, undo }) {
      const result = await doing
      if (result.ok) say(done, undo)
      else if (result.failure.kind !== 'cancelled') toast(failed, { description: reasonOf(result.failure) })
      return result.ok
    },
    async confirmed(doing, done, { onDone, undo } = {}) {
      const result = await doing
      if (!result.ok) return reasonOf(result.failure)
      say(done, undo)
      onDone?.()
      return null
    },
  }
}
