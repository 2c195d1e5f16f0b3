import { numberOf } from '../fields'

/** A page that was asked for by its number. */
export interface Paging {
  page: number
  size: number
  skip: number
}

/** @param most items that a page can have; `otherwise` it has, if nothing is said */
export function pagingOf(query: URLSearchParams, most: number, otherwise: number): Paging {
  const size = numberOf(query.get('itemsPerPage'), 1, most, otherwise)
  const page = numberOf(query.get('page'), 1, Math.floor(Number.MAX_SAFE_INTEGER / most), 1)
  return { page, size, skip: (page - 1) * size }
}

/** What Shlink says of a page. */
export const paginationOf = ({ page, size }: Paging, total: number, here: number) => ({
  ...{ currentPage: page, pagesCount: Math.max(1, Math.ceil(total / size)), itemsPerPage: size },
  ...{ itemsInCurrentPage: here, totalItems: total },
})

/** The values of a list in a query: `tags[]`, as PHP has it, or `tags`. */
export const listIn = (query: URLSearchParams, name: string): string[] =>
  [...query.getAll(`${name}[]`), ...query.getAll(name)].filter((value) => value !== '')
