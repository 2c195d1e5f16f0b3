'use client'

import { EllipsisVertical, Plus, Search, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
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
import { act } from '@/app/admin/_parts/act'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { atMost, filtersOf, oneOf, useFilters } from '@/app/admin/_parts/filters'
import { BLOCK_KINDS, type BlockRuleView } from '@/lib/blocklist/schemas'
import { ActDialog } from './act-dialog'
import { AddDialog } from './add-dialog'
import { KINDS } from './kind-names'
import { RULE_COLUMNS } from './rule-columns'

const filters = filtersOf({ q: atMost(200), kind: oneOf(BLOCK_KINDS) })
const SEGMENTS = [{ value: '', label: 'All' }, ...BLOCK_KINDS.map((value) => ({ value, label: KINDS[value].many }))]

type Open = { dialog: 'add' | 'import' } | { dialog: 'act'; rule: BlockRuleView }

/** What links may not lead to, and who may not make them. */
export function BlocklistPage() {
  const title = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const { control, query, field, clear } = useFilters(filters)
  const page = useCursorPage('blocklist', query, listRules)
  const close = () => setOpen(null)
  const remove = async (rule: BlockRuleView) => {
    const { kind, value, reason } = rule
    const back = async () => {
      await act(createRule({ kind, value, reason }), { done: `${value} is blocked again`, failed: `${value} is not blocked` })
      page.reload()
    }
    const done = await act(removeRule(rule.id), {
      done: `${value} is no longer blocked`,
      failed: `${value} is still blocked`,
      undo: () => void back(),
    })
    if (done) page.remove(rule.id)
    title.current?.focus()
  }
  return (
    <>
      <PageHead ref={title} title="Blocklist">
        <Button onClick={() => setOpen({ dialog: 'import' })}>
          <Upload aria-hidden="true" className="-ml-1 size-[18px]" />
          Import
        </Button>
        <Button look="primary" onClick={() => setOpen({ dialog: 'add' })}>
          <Plus aria-hidden="true" className="-ml-1 size-[18px]" />
          Add a rule
        </Button>
      </PageHead>
      <FilterBar label="Blocklist" onClear={clear}>
        <SearchField label="Search the blocklist" placeholder="Host, word or address" {...field('q')} />
        <Segments label="Kind" {...field('kind')} options={SEGMENTS} className="max-w-full overflow-x-auto" />
      </FilterBar>
      <AdminList
        caption="Rules of the blocklist"
        control={control}
        page={page}
        columns={RULE_COLUMNS}
        nameOf={({ value }) => value}
        actions={(rule) => (
          <Menu trigger={<IconButton icon={EllipsisVertical} label={`Actions for ${rule.value}`} hint="Actions" />}>
            {rule.kind !== 'client' && (
              <>
                <MenuItem icon={Search} onSelect={() => setOpen({ dialog: 'act', rule })}>
                  Act on matching links…
                </MenuItem>
                <MenuSeparator />
              </>
            )}
            <MenuItem icon={Trash2} danger onSelect={() => void remove(rule)}>
              Remove
            </MenuItem>
          </Menu>
        )}
        cornerActions
        actionsWidth="md:w-14"
        onShowAll={clear}
        empty={
          <EmptyState
            title="Nothing is blocked"
            text="Add a host, a word or a client address, or import a list of hosts. New links that match are refused from then on."
          >
            <Button look="primary" onClick={() => setOpen({ dialog: 'add' })}>
              Add a rule
            </Button>
          </EmptyState>
        }
      />
      {open?.dialog === 'add' && <AddDialog onAdded={page.reload} onClose={close} />}
      {open?.dialog === 'import' && (
        <ImportDialog
          title="Import hosts"
          description="One host a line, or a hosts file (0.0.0.0 bad.example). Comments and empty lines are skipped."
          accept=".txt,.hosts,text/plain"
          placeholder={'bad.example\nworse.example'}
          send={importRules}
          onOver={page.reload}
          onClose={close}
        />
      )}
      {open?.dialog === 'act' && <ActDialog rule={open.rule} onClose={close} />}
    </>
  )
}
