import { useTranslations } from '#i18n'
import { SavedDialog } from '@/app/_ui/base/saved-dialog'
import { useSegments } from '@/app/_ui/data/saved-queries'
import type { ViewControl } from './use-view'
import { filtersOf, filtersQuery } from './view'

/** Filters with a name: those that were saved, and a way to save those that are on. */
export function SegmentsDialog({ control: { view, change }, onClose }: { control: ViewControl; onClose: () => void }) {
  const t = useTranslations('stats.segments')
  return (
    <SavedDialog
      words={{
        title: t('title'),
        hint: t('hint'),
        list: t('list'),
        empty: t('empty'),
        form: t('form'),
        name: t('name'),
        placeholder: t('placeholder'),
        deleteOne: (name) => t('deleteSegment', { name }),
      }}
      saved={useSegments()}
      query={filtersQuery(view)}
      onApply={(query) => change(filtersOf(new URLSearchParams(query)))}
      onClose={onClose}
    />
  )
}
