package io.rankfeed.spark.chat;

import com.hubspot.jinjava.el.ext.JinjavaBeanELResolver;
import com.hubspot.jinjava.lib.exptest.ExpTest;
import com.hubspot.jinjava.lib.filter.Filter;
import java.beans.FeatureDescriptor;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import jinjava.javax.el.ELContext;
import jinjava.javax.el.ELResolver;
import jinjava.javax.el.MethodNotFoundException;
import jinjava.javax.el.PropertyNotFoundException;
import org.jspecify.annotations.Nullable;

/** What expressions reach by the engine's own means: its filters, and no property or method of another object. */
final class TemplateValues extends ELResolver {
    /** Only for filters and tests. */
    private final JinjavaBeanELResolver engine = new JinjavaBeanELResolver();

    private static boolean isOfEngine(Object base) {
        return base instanceof Filter || base instanceof ExpTest;
    }

    @Override
    public @Nullable Object getValue(ELContext context, @Nullable Object base, Object property) {
        if (base == null) {
            return null;
        } else if (isOfEngine(base)) {
            return engine.getValue(context, base, property);
        }
        throw new PropertyNotFoundException("no property '" + property + "' in templates");
    }

    @Override
    public @Nullable Object invoke(
            ELContext context,
            @Nullable Object base,
            Object method,
            Class<?> @Nullable [] types,
            Object @Nullable [] arguments) {
        if (base != null && isOfEngine(base)) {
            return engine.invoke(context, base, method, types, arguments);
        }
        throw new MethodNotFoundException("no method '" + method + "' in templates");
    }

    @Override
    public Class<?> getType(ELContext context, @Nullable Object base, Object property) {
        return Object.class;
    }

    @Override
    public void setValue(ELContext context, @Nullable Object base, Object property, @Nullable Object value) {
        throw new UnsupportedOperationException("templates cannot set " + Objects.toString(property));
    }

    @Override
    public boolean isReadOnly(ELContext context, @Nullable Object base, Object property) {
        return true;
    }

    @Override
    public Iterator<FeatureDescriptor> getFeatureDescriptors(ELContext context, @Nullable Object base) {
        return Collections.emptyIterator();
    }

    @Override
    public Class<?> getCommonPropertyType(ELContext context, @Nullable Object base) {
        return Object.class;
    }
}
