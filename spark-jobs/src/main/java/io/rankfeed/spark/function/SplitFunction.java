package io.rankfeed.spark.function;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * {@code rf_split('train=80, valid=10, test=10', key, …)}: the part that a key falls in. Parts are stretches of the
 * 64-bit hashes, in the order in which they are written, so a key stays in its part when rows are added, and changes it
 * only where the bounds move over it.
 */
final class SplitFunction implements SqlFunction {
    /** "rf_split" in ASCII: another hash than the row id, by which prepared rows may be. */
    private static final long SEED = 0x72665f73706c6974L;

    private static final Pattern PART = Pattern.compile("\\s*([^=,\\s]+)\\s*=\\s*([0-9]{1,18}(?:\\.[0-9]{1,18})?)\\s*");
    private static final BigInteger ALL = BigInteger.ONE.shiftLeft(64);

    @Override
    public String name() {
        return "rf_split";
    }

    @Override
    public String usage() {
        return "rf_split('train=80, valid=10, test=10', key, …)";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        refuseUnless(arguments, 2, 255);
        Map<String, BigDecimal> parts = parts(arguments.get(0).text(name(), "the first argument"));
        return new Bound(name(), parts, EncodedValues.of(name(), arguments, 1), arguments);
    }

    private Map<String, BigDecimal> parts(String written) {
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

    private static final class Bound extends RowFunction<UTF8String> {
        private static final long serialVersionUID = 1L;

        private final ArrayList<UTF8String> names = new ArrayList<>();
        /** The exclusive upper bound of the hashes of each part with a share, except the last; unsigned. */
        private final ArrayList<Long> bounds = new ArrayList<>();

        private final EncodedValues values;

        Bound(String name, Map<String, BigDecimal> parts, EncodedValues values, List<Argument> arguments) {
            super(name, DataTypes.StringType, arguments);
            this.values = values;
            BigDecimal total = parts.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            BigDecimal sum = BigDecimal.ZERO;
            for (Map.Entry<String, BigDecimal> part : parts.entrySet()) {
                if (part.getValue().signum() == 0) {
                    continue;
                }
                sum = sum.add(part.getValue());
                names.add(UTF8String.fromString(part.getKey()));
                bounds.add(new BigDecimal(ALL)
                        .multiply(sum)
                        .divide(total, 0, RoundingMode.FLOOR)
                        .toBigInteger()
                        .longValue());
            }
        }

        @Override
        public boolean isResultNullable() {
            return false;
        }

        @Override
        Object settings() {
            return List.of(names, bounds);
        }

        @Override
        public UTF8String produceResult(InternalRow row) {
            long hash = values.of(row).hash(SEED);
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
