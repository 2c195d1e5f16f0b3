import { Folder, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import type { LinksControl } from '@/app/_ui/links/links-view'
import type { LinkView } from '@/lib/links/schemas'

/** Tags in a row: the others are counted. */
const SHOWN = 4

/** How a link is filed. Each tag, and the folder, narrows the list to those that have it too. */
export function LinkLabels({ link, control: { change } }: { link: LinkView; control: LinksControl }) {
  const t = useTranslations('linkList.filed')
  const links = useTranslations('links.badge')
  const { tags = [], folder = null, favorite = false } = link
  if (tags.length === 0 && folder === null && !favorite) return null
  const more = tags.length - SHOWN
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-xs">
      {favorite && <Star aria-label={links('favorite')} role="img" className="size-3.5 fill-current text-accent" />}
      {folder !== null && (
        <Label name={t('showFolder', { name: folder })} onPress={() => change({ folder })}>
          <Folder aria-hidden="true" className="size-3 shrink-0" />
          <bdi className="truncate">{folder}</bdi>
        </Label>
      )}
      {tags.slice(0, SHOWN).map((tag) => (
        <Label key={tag} name={t('showTag', { name: tag })} onPress={() => change({ tag })}>
          <bdi className="truncate">{tag}</bdi>
        </Label>
      ))}
      {more > 0 && (
        <span className="text-muted" title={tags.slice(SHOWN).join(', ')}>
          +{more}
        </span>
      )}
    </div>
  )
}

function Label({ name, onPress, children }: { name: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={onPress}
      className="inline-flex min-h-6 max-w-40 items-center gap-1 rounded-full border border-line px-2 text-muted hover:border-accent hover:text-accent"
    >
      {children}
    </button>
  )
}
