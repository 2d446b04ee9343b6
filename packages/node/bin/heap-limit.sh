# heap_option ARGUMENTS: the option of `node` that limits V8's heap to four fifths of the memory budget. V8 takes it only when the process starts.
# The budget is looked for in the order of the node itself (settings/load-settings.ts, start/memory-budget.ts): command line, environment, file, container.
# No option if NODE_OPTIONS has one. The rest of the budget is for buffers outside of the heap.
heap_option() {
  case ${NODE_OPTIONS:-} in *max-old-space-size* | *max_old_space_size*) return ;; esac
  size= config= previous=
  for argument; do
    case $previous$argument in
      -Ememory.limit=* | -E-Ememory.limit=*) size=${argument#*memory.limit=} ;;
      *)
        case $argument in --memory=* | --memory.limit=* | -Ememory.limit=*) size=${argument#*=} ;; --config=*) config=${argument#*=} ;; esac
        case $previous in --memory | --memory.limit) size=$argument ;; --config) config=$argument ;; esac
        ;;
    esac
    previous=$argument
  done
  if [ -z "$size" ]; then size=$(printf '%s' "${ES_JAVA_OPTS:-}" | sed -n 's/.*-Xmx\([0-9]*[kmgKMG]\{0,1\}\).*/\1/p'); fi
  if [ -z "$size" ]; then size=$(printf '%s' "${SHOAL_ENVIRONMENT:-}" | sed -n 's/^memory\.limit=//p'); fi
  if [ -z "$size" ]; then size=${ES_SETTING_MEMORY_LIMIT:-}; fi
  if [ -z "$size" ] && [ -r "$config" ]; then
    size=$(awk '/^memory\.limit:/ { print $2 } /^[^ #]/ { inside = /^memory:/ } inside && /^ +limit:/ { print $2 }' "$config" | tail -n 1 | tr -d "\"'")
  fi
  container=$(cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null | head -n 1)
  awk -v size="$size" -v container="$container" 'BEGIN {
    bytes = size + 0
    unit = tolower(substr(size, match(size, /[a-zA-Z]|$/), 1))
    if (unit == "k") bytes *= 1024; else if (unit == "m") bytes *= 1048576; else if (unit == "g") bytes *= 1073741824; else if (unit == "t") bytes *= 1099511627776
    if (size == "") { bytes = 536870912; if (container + 0 > 0 && container * 0.85 < bytes) bytes = container * 0.85 }
    if (bytes < 134217728) bytes = 134217728
    printf "--max-old-space-size=%d", bytes * 0.8 / 1048576
  }'
}
