package io.rankfeed.schema.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes why a text is not JSON, without the parser's advice on how to have it read all the same. */
public final class JsonFault {
    private static final int MAX_CHARS = 200;
    private static final Pattern NO_NUMBER = Pattern.compile("Non-standard token '([^']*)'.*");

    /**
     * "…: enable `JsonReadFeature.…` to allow", "… comment? (not recognized as one since Feature …)", "… exceeds the
     * maximum allowed (1000, from `…`)", "… (start marker at [Source: …])", "… (for Object starting at [Source: …])".
     */
    private static final Pattern ADVICE = Pattern.compile(
            "(?:: enable `| \\((?:not recognized|start marker|for \\w+ starting at)).*" + "|, from `[^`]*`");

    private JsonFault() {}

    /** Returns the reason in one line. */
    public static String of(JsonProcessingException e) {
        String line = e.getOriginalMessage().lines().findFirst().orElse("");
        Matcher noNumber = NO_NUMBER.matcher(line);
        if (noNumber.matches()) {
            return "'" + noNumber.group(1) + "' is not a number in JSON; write null, or a text";
        }
        String fault = ADVICE.matcher(line).replaceAll("");
        return fault.length() <= MAX_CHARS ? fault : fault.substring(0, MAX_CHARS) + "…";
    }
}
