import { readFileSync } from 'node:fs'

export interface SchemaColumn {
  name: string
  /** As information_schema.COLUMNS writes it, without the display width of integers. */
  type: string
  nullable: boolean
  /** The database's default, as text. */
  default: string | null
  autoIncrement: boolean
}

export interface SchemaIndex {
  name: string
  columns: string[]
  unique: boolean
}

export interface SchemaModel {
  name: string
  columns: SchemaColumn[]
  indexes: SchemaIndex[]
}

/** The types that Prisma's MySQL connector makes where no native type is named. */
const SCALARS: Record<string, string> = { Int: 'int', BigInt: 'bigint', Boolean: 'tinyint(1)', String: 'varchar(191)' }
const UNSUPPORTED = /^(\w+)\s+Unsupported\("(\w+)"\)(\?)?$/
const NATIVE: Record<string, (size: string) => string> = {
  VarChar: (size) => `varchar(${size})`,
  Char: (size) => `char(${size})`,
  Binary: (size) => `binary(${size})`,
  DateTime: (size) => `datetime(${size})`,
  Text: () => 'text',
  MediumText: () => 'mediumtext',
  MediumBlob: () => 'mediumblob',
  SmallInt: () => 'smallint',
  UnsignedInt: () => 'int unsigned',
  UnsignedBigInt: () => 'bigint unsigned',
  TinyInt: () => 'tinyint',
  Double: () => 'double',
  Decimal: (size) => `decimal(${size.replace(' ', '')})`,
  Json: () => 'json',
}

/** The models of prisma/schema.prisma, with what the database must look like for them. */
export function readPrismaSchema(path = 'prisma/schema.prisma'): SchemaModel[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => modelOf(name, body))
}

function modelOf(name: string, body: string): SchemaModel {
  const columns: SchemaColumn[] = []
  const indexes: SchemaIndex[] = []
  for (const line of body.split('\n').map((text) => text.replace(/\/\/.*$/, '').trim())) {
    const block = /^@@(id|unique|index)\(\[(.*?)\](?:, map: "(\w+)")?\)$/.exec(line)
    if (block) {
      const [, kind, list = '', map = ''] = block
      const names = list.split(',').map((column) => column.trim())
      indexes.push({ name: kind === 'id' ? 'PRIMARY' : map, columns: names, unique: kind === 'id' || kind === 'unique' })
    } else if (line !== '') {
      const column = columnOf(line)
      columns.push(column)
      const unique = /@unique(?:\(map: "(\w+)"\))?/.exec(line)
      if (/@id\b/.test(line)) indexes.push({ name: 'PRIMARY', columns: [column.name], unique: true })
      if (unique) indexes.push({ name: unique[1] ?? `${name}_${column.name}_key`, columns: [column.name], unique: true })
    }
  }
  return { name, columns, indexes }
}

function columnOf(line: string): SchemaColumn {
  const unsupported = UNSUPPORTED.exec(line)
  if (unsupported) {
    const [, name = '', type = '', optional] = unsupported
    return { name, type, nullable: optional === '?', default: null, autoIncrement: false }
  }
  const field = /^(\w+)\s+(\w+)(\?)?(.*)$/.exec(line)
  if (!field) throw new Error(`cannot read this line of the schema: ${line}`)
  const [, name = '', scalar = '', optional, attributes = ''] = field
  const native = /@db\.(\w+)(?:\(([\d, ]+)\))?/.exec(attributes)
  const type = native ? NATIVE[native[1] ?? '']?.(native[2] ?? '') : SCALARS[scalar]
  if (type === undefined) throw new Error(`unknown type in the schema: ${line}`)
  const given = /@default\((?:"([^"]*)"|([\w.-]+)|(autoincrement\(\)))\)/.exec(attributes)
  const bare = given?.[2] === 'true' ? '1' : given?.[2] === 'false' ? '0' : given?.[2]
  return {
    name,
    type,
    nullable: optional === '?',
    default: given?.[1] ?? bare ?? null,
    autoIncrement: given?.[3] !== undefined,
  }
}
