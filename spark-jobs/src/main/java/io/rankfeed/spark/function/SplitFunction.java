package io.rankfeed.spark.function;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.SqlFunction;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * {@code rf_split('train=80, valid=10, test=10', key, …)}: the part that a key falls in. Parts are stretches of the
 * 64-bit hashes, in the order in which they are written, so a key stays in its part when rows are added, and changes it
 * only where the bounds move over it.
 */
final class SplitFunction {
    private static final String NAME = "rf_split";

    /** "rf_split" in ASCII: another hash than the row id, by which prepared rows may be. */
    private static final long SEED = 0x72665f73706c6974L;

    private static final Pattern PART = Pattern.compile("\\s*([^=,\\s]+)\\s*=\\s*([0-9]{1,18}(?:\\.[0-9]{1,18})?)\\s*");
    private static final BigInteger ALL = BigInteger.ONE.shiftLeft(64);

    private SplitFunction() {}

    static SqlFunction of() {
        String usage = "rf_split('train=80, valid=10, test=10', key, …)";
        return new SqlFunction(NAME, usage, count -> count >= 2 && count <= 255, arguments -> {
            Stretches stretches = Stretches.of(parts(arguments.get(0).text(NAME, "the first argument")));
            EncodedValues values = EncodedValues.of(NAME, arguments, 1);
            return RowFunction.notNull(
                    NAME,
                    DataTypes.StringType,
                    arguments,
                    stretches,
                    row -> stretches.of(values.of(row).hash(SEED)));
        });
    }

    private static Map<String, BigDecimal> parts(String written) {
        Map<String, BigDecimal> parts = new LinkedHashMap<>();
        for (String part : written.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches() || parts.put(matcher.group(1), new BigDecimal(matcher.group(2))) != null) {
                throw new ConfigException("rf_split: '" + part.strip()
                        + "' is not a distinct part, as in 'train=80, valid=10, test=10' (docs/functions.md)");
            }
        }
        if (parts.values().stream().allMatch(share -> share.signum() == 0)) {
            throw new ConfigException(
                    "rf_split: all parts of '" + written + "' are 0; raise one of them (docs/functions.md)");
        }
        return parts;
    }

    /** @param bounds the exclusive upper bound of the hashes of each part with a share, except the last; unsigned */
    private record Stretches(ArrayList<UTF8String> names, ArrayList<Long> bounds) implements Serializable {
        static Stretches of(Map<String, BigDecimal> parts) {
            Stretches stretches = new Stretches(new ArrayList<>(), new ArrayList<>());
            BigDecimal total = parts.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            BigDecimal sum = BigDecimal.ZERO;
            for (Map.Entry<String, BigDecimal> part : parts.entrySet()) {
                if (part.getValue().signum() == 0) {
                    continue;
                }
                sum = sum.add(part.getValue());
                stretches.names.add(UTF8String.fromString(part.getKey()));
                stretches.bounds.add(new BigDecimal(ALL)
                        .multiply(sum)
                        .divide(total, 0, RoundingMode.FLOOR)
                        .toBigInteger()
                        .longValue());
            }
            return stretches;
        }

        UTF8String of(long hash) {
            int last = bounds.size() - 1;
            for (int i = 0; i < last; i++) {
                if (Long.compareUnsigned(hash, bounds.get(i)) < 0) {
                    return names.get(i);
                }
            }
            return names.get(last);
        }
    }
}
