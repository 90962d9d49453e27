package io.rankfeed.feeder.serve.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a client asks for (docs/format/ring.md, section 3).
 *
 * @param plan empty: whichever is fed
 * @param step global step to begin with
 * @param columns empty: the feed's own
 * @param rowKeys whether the ring has the keys of the rows' random numbers
 */
public record Hello(
        String feed,
        int rank,
        int world,
        long pid,
        long startTime,
        Optional<String> plan,
        long step,
        Optional<List<ColumnRequest>> columns,
        boolean rowKeys) {
    private static final String WHERE = "HELLO";
    private static final int MAX_WORLD = 1 << 20;

    /** @throws Refusal if the payload is not a valid HELLO */
    public static Hello parse(byte[] utf8) {
        try {
            return parse(JsonObject.root(StrictJson.parse(utf8, WHERE), WHERE));
        } catch (CorruptDataException e) {
            throw new Refusal(ErrorCode.PROTOCOL, e);
        }
    }

    private static Hello parse(JsonObject json) {
        json.only(
                "feed",
                "rank",
                "localRank",
                "world",
                "localWorld",
                "pid",
                "startTime",
                "plan",
                "step",
                "columns",
                "rowKeys");
        json.intBetween("localRank", 0, MAX_WORLD);
        json.intBetween("localWorld", 0, MAX_WORLD);
        return new Hello(
                json.text("feed"),
                json.intBetween("rank", 0, MAX_WORLD),
                json.intBetween("world", 1, MAX_WORLD),
                json.integer("pid", 0, Long.MAX_VALUE),
                json.integer("startTime", 0, Long.MAX_VALUE),
                isNull(json, "plan") ? Optional.empty() : json.optionalText("plan"),
                json.integer("step", 0, Long.MAX_VALUE),
                isNull(json, "columns") ? Optional.empty() : Optional.of(columns(json)),
                !isNull(json, "rowKeys") && rowKeys(json));
    }

    private static List<ColumnRequest> columns(JsonObject json) {
        List<ColumnRequest> columns = new ArrayList<>();
        for (JsonObject column : json.objects("columns")) {
            column.only("name", "layout", "padValue");
            columns.add(new ColumnRequest(column.text("name"), layout(column), padValue(column), Optional.empty()));
        }
        return columns;
    }

    private static Optional<Layout> layout(JsonObject column) {
        if (isNull(column, "layout")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Layout.fromId(column.text("layout")));
        } catch (ConfigException e) {
            throw new Refusal(ErrorCode.BAD_COLUMN, e);
        }
    }

    private static BigDecimal padValue(JsonObject column) {
        if (isNull(column, "padValue")) {
            return BigDecimal.ZERO;
        }
        JsonNode value = column.node("padValue");
        if (!value.isNumber()) {
            throw column.damage("padValue", "must be a number");
        }
        if (value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue())) {
            throw new Refusal(
                    ErrorCode.BAD_COLUMN,
                    "column '" + column.text("name")
                            + "': padValue is out of the range of a 64-bit float; use a value that"
                            + " the column's type has");
        }
        return value.decimalValue();
    }

    private static boolean rowKeys(JsonObject json) {
        if (!json.node("rowKeys").isBoolean()) {
            throw json.damage("rowKeys", "must be true or false");
        }
        return json.node("rowKeys").booleanValue();
    }

    private static boolean isNull(JsonObject json, String name) {
        return !json.has(name) || json.node(name).isNull();
    }
}
