import { LayoutGrid, Rows3, Settings2 } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Menu, MenuChecks, MenuChoices, MenuSeparator } from '@/app/_ui/base/menu'
import { LAYOUTS, LOOK_COLUMNS, type Look } from '@/lib/links/look'

const ICONS = { rows: Rows3, cards: LayoutGrid }

/** Rows or cards, and what of each link they show. */
export function LookMenu({ look, onChoose }: { look: Look; onChoose: (look: Look) => void }) {
  const t = useTranslations('linkList.look')
  return (
    <Menu
      className="-ml-1 sm:-ml-3"
      trigger={
        <Button size="small" look="quiet">
          <Settings2 aria-hidden="true" className="size-4" />
          {t('title')}
        </Button>
      }
    >
      <MenuChoices
        label={t('layout')}
        value={look.layout}
        options={LAYOUTS.map((value) => ({ value, label: t(`layouts.${value}`), icon: ICONS[value] }))}
        onChange={(layout) => onChoose({ ...look, layout })}
      />
      <MenuSeparator />
      <MenuChecks
        label={t('columns')}
        values={look.columns}
        options={LOOK_COLUMNS.map((value) => ({ value, label: t(`column.${value}`) }))}
        onChange={(columns) => onChoose({ ...look, columns })}
      />
    </Menu>
  )
}
