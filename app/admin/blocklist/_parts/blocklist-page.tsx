'use client'

import { EllipsisVertical, Plus, Search, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, IconButton } from '@/app/_ui/base/button'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { ImportDialog } from '@/app/_ui/base/import-dialog'
import { Menu, MenuItem, MenuSeparator } from '@/app/_ui/base/menu'
import { PageHead } from '@/app/_ui/base/page-head'
import { SearchField } from '@/app/_ui/base/search-field'
import { Segments } from '@/app/_ui/base/segments'
import { createRule, importRules, listRules, removeRule } from '@/app/_ui/data/admin'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { atMost, filtersOf, oneOf, useFilters } from '@/app/admin/_parts/filters'
import { useAct } from '@/app/admin/_parts/use-act'
import type { BlockRuleView } from '@/lib/blocklist/schemas'
import { BLOCK_KINDS } from '@/lib/blocklist/values'
import { ActDialog } from './act-dialog'
import { AddDialog } from './add-dialog'
import { useRuleColumns } from './rule-columns'
import { ThreatsDialog } from './threats-dialog'

const filters = filtersOf({ q: atMost(200), kind: oneOf(BLOCK_KINDS) })

type Open = { dialog: 'add' | 'import' | 'threats' } | { dialog: 'act'; rule: BlockRuleView }

/** What links may not lead to, and who may not create them. */
export function BlocklistPage() {
  const t = useTranslations('admin.blocklist')
  const name = useTranslations('admin.page')('blocklist')
  const threats = useTranslations('admin.threats')
  const { act } = useAct()
  const columns = useRuleColumns()
  const kinds = [
    { value: '', label: t('all') },
    ...BLOCK_KINDS.map((value) => ({ value: value as string, label: t(`kinds.${value}.many`) })),
  ]
  const title = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const { control, query, field, clear } = useFilters(filters)
  const page = useCursorPage('blocklist', query, listRules)
  const close = () => setOpen(null)
  const remove = async (rule: BlockRuleView) => {
    const { kind, value, reason } = rule
    const back = async () => {
      await act(createRule({ kind, value, reason }), {
        done: t('restored', { rule: value }),
        failed: t('notRestored', { rule: value }),
      })
      page.reload()
    }
    const done = await act(removeRule(rule.id), {
      done: t('deleted', { rule: value }),
      failed: t('notDeleted', { rule: value }),
      undo: () => void back(),
    })
    if (done) page.remove(rule.id)
    title.current?.focus()
  }
  return (
    <>
      <PageHead ref={title} title={name}>
        <Button onClick={() => setOpen({ dialog: 'threats' })}>{threats('open')}</Button>
        <Button onClick={() => setOpen({ dialog: 'import' })}>
          <Upload aria-hidden="true" className="-ml-1 size-[18px]" />
          {t('import')}
        </Button>
        <Button look="primary" onClick={() => setOpen({ dialog: 'add' })}>
          <Plus aria-hidden="true" className="-ml-1 size-[18px]" />
          {t('add')}
        </Button>
      </PageHead>
      <FilterBar label={name} onClear={clear}>
        <SearchField label={t('search')} placeholder={t('searchHint')} {...field('q')} />
        <Segments label={t('kind')} {...field('kind')} options={kinds} className="max-w-full overflow-x-auto" />
      </FilterBar>
      <AdminList
        caption={t('caption')}
        control={control}
        page={page}
        columns={columns}
        nameOf={({ value }) => value}
        actions={(rule) => (
          <Menu
            trigger={<IconButton icon={EllipsisVertical} label={t('actionsFor', { rule: rule.value })} hint={t('actions')} />}
          >
            {rule.kind !== 'client' && (
              <>
                <MenuItem icon={Search} onSelect={() => setOpen({ dialog: 'act', rule })}>
                  {t('act')}
                </MenuItem>
                <MenuSeparator />
              </>
            )}
            <MenuItem icon={Trash2} danger onSelect={() => void remove(rule)}>
              {t('delete')}
            </MenuItem>
          </Menu>
        )}
        cornerActions
        actionsWidth="md:w-14"
        onShowAll={clear}
        empty={
          <EmptyState title={t('empty.title')} text={t('empty.text')}>
            <Button look="primary" onClick={() => setOpen({ dialog: 'add' })}>
              {t('add')}
            </Button>
          </EmptyState>
        }
      />
      {open?.dialog === 'add' && <AddDialog onAdded={page.reload} onClose={close} />}
      {open?.dialog === 'import' && (
        <ImportDialog
          title={t('importing.title')}
          description={t('importing.text')}
          type="text/plain"
          accept=".txt,.hosts,text/plain"
          placeholder={'bad.example\nworse.example'}
          send={importRules}
          onOver={page.reload}
          onClose={close}
        />
      )}
      {open?.dialog === 'threats' && <ThreatsDialog onClose={close} />}
      {open?.dialog === 'act' && <ActDialog rule={open.rule} onClose={close} />}
    </>
  )
}
