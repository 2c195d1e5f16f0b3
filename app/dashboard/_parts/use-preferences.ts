import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { toast } from '@/app/_ui/base/toast'
import { updatePreferences } from '@/app/_ui/data/account'
import { parseSaved, type SavedQueries } from '@/app/_ui/data/saved-queries'
import type { PreferencesView, UpdatePreferences } from '@/lib/accounts/schemas'
import { LOOK_COOKIE, type Look, parseLook } from '@/lib/links/look'
import { choiceCookie } from '@/lib/tools/choice-cookie'

export interface ListPreferences {
  look: Look
  setLook: (look: Look) => void
  views: SavedQueries
}

/** The look of the list and its views, kept by the account. @param sent as the server wrote the page */
export function useListPreferences(sent: PreferencesView, sentLook: Look): ListPreferences {
  const router = useRouter()
  const [look, showLook] = useState(sentLook)
  const [views, showViews] = useState(sent.views)
  /** @returns what went wrong, or null */
  const change = async (body: UpdatePreferences) => {
    const result = await updatePreferences(body)
    if (!result.ok) return result.failure.message
    showViews(result.value.views)
    // What the app remembers of this page is older now.
    router.refresh()
    return null
  }
  const setLook = async (wanted: Look) => {
    showLook(wanted)
    const wrong = await change({ look: { ...wanted, columns: [...wanted.columns] } })
    if (wrong !== null) toast(wrong)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const old = keptHere(sent)
    if (old) void change(old).then((wrong) => wrong === null && forget())
  }, [])
  return {
    look,
    setLook: (wanted) => void setLook(wanted),
    views: {
      all: views,
      save: (one) => change({ saveViews: [one] }),
      remove: (name) => change({ deleteViews: [name] }),
    },
  }
}

/** Where this browser kept views before accounts did. */
const VIEWS = 'terse:link-views'

/** What earlier versions kept in this browser and the account has not; null: nothing. */
function keptHere({ look, views }: PreferencesView): UpdatePreferences | null {
  const cookie = document.cookie.split('; ').find((one) => one.startsWith(`${LOOK_COOKIE}=`))
  const stored = stand(() => localStorage.getItem(VIEWS)) ?? null
  if (cookie === undefined && stored === null) return null
  const known = new Set(views.map(({ name }) => name.toLowerCase()))
  const old = parseLook(cookie?.slice(LOOK_COOKIE.length + 1))
  return {
    ...(cookie !== undefined && look === null && { look: { ...old, columns: [...old.columns] } }),
    saveViews: parseSaved(stored).filter(({ name }) => !known.has(name.toLowerCase())),
  }
}

function forget(): void {
  stand(() => localStorage.removeItem(VIEWS))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that is supported
  document.cookie = choiceCookie(LOOK_COOKIE, '', location.protocol === 'https:').replace(/Max-Age=\d+/, 'Max-Age=0')
}

/** A browser may refuse storage. */
function stand<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
