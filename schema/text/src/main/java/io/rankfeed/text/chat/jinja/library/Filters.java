package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.Operators;
import io.rankfeed.text.chat.jinja.value.Undefined;
import io.rankfeed.text.chat.jinja.value.Values;

/** The filters of Jinja. */
public final class Filters {
    public static final Registry ALL = new Registry(
            "filter",
            "center truncate filesizeformat pprint random striptags urlencode urlize wordwrap xmlattr wordcount forceescape",
            "");

    static {
        TextFilters.addTo(ALL);
        ListFilters.addTo(ALL);
        ALL.add("tojson", Json.PARAMETERS, Json::tojson);
        ALL.add(
                "attr",
                "value name",
                bound -> Attributes.only(bound.value(), bound.text("name").toString()));
        ALL.add("length count", "value", bound -> Values.length(bound.value()));
        ALL.add("abs", "value", bound -> {
            Object value = number(bound);
            boolean isNegative = value instanceof Double real
                    ? real < 0 || real.equals(-0.0)
                    : Operators.compare("<", value, 0L, bound.budget());
            return Operators.signed(isNegative, value);
        });
        ALL.add("round", "value precision=0 method='common'", Rounding::round);
        ALL.add("int", "value default=0 base=10", Conversions::integer);
        ALL.add("float", "value default=0.0", Conversions::real);
        ALL.add("default d", "value default_value='' boolean=False", bound -> {
            boolean isReplaced =
                    bound.value() instanceof Undefined || (bound.isTrue("boolean") && !Values.isTrue(bound.value()));
            return bound.get(isReplaced ? "default_value" : "value");
        });
    }

    private Filters() {}

    static Object number(Arguments.Bound bound) {
        Values.requireDefined(bound.value());
        if (!Numbers.isNumber(bound.value())) {
            throw bound.wrong("value", "a number");
        }
        return bound.value();
    }
}
