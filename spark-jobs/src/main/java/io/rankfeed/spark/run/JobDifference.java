package io.rankfeed.spark.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Describes the differences of two resolved jobs, in one line. */
final class JobDifference {
    private static final int SHOWN = 5;
    private static final int SHOWN_CHARS = 80;

    private final List<String> found = new ArrayList<>();

    private JobDifference() {}

    static String of(JsonNode before, JsonNode now) {
        JobDifference difference = new JobDifference();
        difference.compare("", before, now);
        List<String> found = difference.found;
        String more = found.size() > SHOWN ? " and " + (found.size() - SHOWN) + " more" : "";
        return String.join(", ", found.subList(0, Math.min(SHOWN, found.size()))) + more;
    }

    private void compare(String path, JsonNode before, JsonNode now) {
        if (before.equals(now)) {
            return;
        }
        if (!before.isObject() || !now.isObject()) {
            found.add(path + " was " + text(before) + ", is " + text(now));
            return;
        }
        TreeSet<String> names = new TreeSet<>();
        before.fieldNames().forEachRemaining(names::add);
        now.fieldNames().forEachRemaining(names::add);
        names.forEach(name -> compare(path.isEmpty() ? name : path + "." + name, before.path(name), now.path(name)));
    }

    private static String text(JsonNode node) {
        String text = node.isMissingNode() ? "absent" : CanonicalJson.compactText(node);
        return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
    }
}
