import {
  ArrowRight,
  ClipboardPaste,
  Hash,
  Keyboard,
  Link2,
  List,
  LogOut,
  type LucideIcon,
  Palette,
  Plus,
  Upload,
} from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from '#i18n'
import type { AppPage } from '@/app/_server/pages'
import { runKey } from '@/app/_ui/base/keys'
import { toast } from '@/app/_ui/base/toast'
import { copyText } from '@/app/_ui/data/browser'
import { tellNewLink } from '@/app/_ui/data/new-links'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { statsPath } from '@/app/_ui/links/stats-path'
import { SCHEMES } from '@/lib/brand/scheme'
import { normalised } from '@/lib/tools/normalised'
import { addressIn, clipboardText, quickCreate } from './quick-create'
import type { FoundLinks } from './use-found-links'
import { useLeave } from './use-leave'
import { useScheme } from './use-scheme'

export interface Choice {
  id: string
  icon: LucideIcon
  label: string
  /** Beside or below the label. */
  hint?: string | undefined
  /** What else it is found by. */
  words?: string
  /** Done when it is chosen. What it returns is done once the palette has closed, and the cursor is back. */
  choose: () => (() => void) | Promise<() => void>
  /** What Ctrl+Enter copies. */
  copies?: string
}

export interface ChoiceGroup {
  name: 'actions' | 'pages' | 'links'
  choices: Choice[]
}

/** What the palette offers for what was typed: each word must stand in what it offers. */
export function useChoices(query: string, pages: readonly AppPage[], found: FoundLinks): ChoiceGroup[] {
  const t = useTranslations('commands')
  const menu = useTranslations('base.menu')
  const leave = useLeave()
  const scheme = useTranslations('base.scheme')
  const [, chooseScheme] = useScheme('system')
  const router = useRouter()
  const go = (href: string) => () => router.push(href)
  const create = () => void runKey('c')
  const fromClipboard = async () => {
    const text = await clipboardText()
    const url = addressIn(text ?? '')
    if (url !== null) return () => void quickCreate(url, t)
    return () => {
      tellNewLink(text === null ? 'refused' : 'none')
      create()
    }
  }
  const actions: Choice[] = [
    { id: 'create', icon: Plus, label: t('action.create'), choose: () => create },
    {
      id: 'clipboard',
      icon: ClipboardPaste,
      label: t('action.clipboard'),
      hint: t('action.clipboardHint'),
      choose: fromClipboard,
    },
    { id: 'keys', icon: Keyboard, label: t('keys.title'), words: t('words.keys'), choose: () => () => void runKey('?') },
    { id: 'import', icon: Upload, label: t('action.import'), words: t('words.import'), choose: () => go('/dashboard?import') },
    { id: 'spoken', icon: Hash, label: t('action.spoken'), words: t('words.spoken'), choose: () => go('/dashboard?spoken') },
  ]
  // For who looks for them: not all is shown at first.
  const others: Choice[] = [
    ...SCHEMES.map((one) => ({
      id: one,
      icon: Palette,
      label: scheme(`name.${one}`),
      hint: scheme('label'),
      choose: () => () => chooseScheme(one),
    })),
    {
      id: 'sign-out',
      icon: LogOut,
      label: menu('signOut'),
      words: t('words.signOut'),
      choose: () => () => void leave(),
    },
  ]
  // A host alone is more likely searched for.
  const url = /^https?:/i.test(query) ? addressIn(query) : null
  const shorten: Choice[] = url
    ? [
        {
          id: 'shorten',
          icon: Plus,
          label: t('action.shorten'),
          hint: readableUrl(url),
          choose: () => () => void quickCreate(url, t),
        },
      ]
    : []
  const ways: Choice[] = pages.map(({ href, label, part, words }) => ({
    id: href,
    icon: ArrowRight,
    label,
    hint: part,
    words,
    choose: () => go(href),
  }))
  const links: Choice[] = found.links.map((link) => ({
    id: link.id,
    icon: Link2,
    label: readableUrl(link.shortUrl),
    hint: link.title || readableUrl(link.url),
    choose: () => go(statsPath(link)),
    copies: link.shortUrl,
  }))
  const rest: Choice[] = found.more
    ? [
        {
          id: 'all',
          icon: List,
          label: found.total === null ? t('all') : t('allOf', { count: found.total }),
          choose: () => go(`/dashboard?${new URLSearchParams({ q: query })}`),
        },
      ]
    : []
  const words = fold(query).split(/\s+/)
  const matching = (all: Choice[]) =>
    all.filter(({ label, hint = '', words: more = '' }) => holdsAll(fold(`${label} ${hint} ${more}`), words))
  const groups: ChoiceGroup[] = [
    { name: 'actions', choices: [...shorten, ...matching(query === '' ? actions : [...actions, ...others])] },
    { name: 'pages', choices: matching(ways) },
    // Last, since they come last: what is first stays so. Until they are those of what was typed, only what still fits.
    { name: 'links', choices: found.query === query ? [...links, ...rest] : matching(links) },
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}

/** Copies what a choice copies, and says so. */
export function useCopy(): (choice: Choice) => Promise<void> {
  const t = useTranslations('commands')
  return async ({ copies = '', label }) => {
    toast(t((await copyText(copies)) ? 'copied' : 'notCopied', { link: label }))
  }
}

const holdsAll = (text: string, words: readonly string[]) => words.every((word) => text.includes(word))
const fold = (text: string) => normalised('NFKD', text).replace(/\p{M}/gu, '').toLowerCase().trim()
