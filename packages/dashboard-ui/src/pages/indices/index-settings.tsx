import { DYNAMIC_INDEX_PREFIXES, DYNAMIC_INDEX_SETTINGS } from '../../generated/dynamic-settings.js';
import { useCall } from '../../request/use-call.js';
import { Loaded } from '../../widgets/loaded.js';
import { SettingTable } from '../../widgets/setting-table.js';
import { inPath } from './index-rows.js';

type Values = Readonly<Record<string, unknown>>;
type SettingsAnswer = Readonly<Record<string, { readonly settings?: Values; readonly defaults?: Values }>>;

/** Settings of an index and their defaults; those that may be changed while it is open can be changed here. */
export function IndexSettings({ index }: { readonly index: string }) {
  const path = `/${inPath(index)}/_settings`;
  const settings = useCall(`${path}?flat_settings=true&include_defaults=true`);
  return (
    <Loaded call={settings}>
      {({ json }) => {
        const [one] = Object.values((json ?? {}) as SettingsAnswer);
        const listed = (values: Values | undefined, from: string) =>
          Object.entries(values ?? {}).map(([name, value]) => ({ name, value, from }));
        return (
          <SettingTable
            caption="Settings of the index"
            settings={[...listed(one?.settings, 'set'), ...listed(one?.defaults, 'default')]}
            changeable={DYNAMIC_INDEX_SETTINGS}
            changeablePrefixes={DYNAMIC_INDEX_PREFIXES}
            path={path}
            bodyOf={(name, value) => ({ [name]: value })}
            again={settings.again}
          />
        );
      }}
    </Loaded>
  );
}
